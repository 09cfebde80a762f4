import Foundation
import SQLiteORMCompatibility

/// A row of `items` for the verbs of SQLiteORM. Rows keep the columns that it does not have.
public struct StoredItem<Key: Sendable & StorageKey>: Initializable, Sendable {
    public var id = Key()
    public var part: Int64 = 0
    public var name = ""
    public var price: Double?
    public var note: String?
    public var owner: Int64?
    public var stars: Int64 = 0
    public var code: Int64?
    public var data: Data?

    public init() {}
}

/// A type of keys that has an empty value.
public protocol StorageKey {
    init()
}

extension Int64: StorageKey {}
extension String: StorageKey {}

/// A storage with the table `items`.
public struct ItemStorage<Key: Sendable & StorageKey>: Sendable {
    private let storage: Storage

    private init(_ database: Database, _ table: any RecordTable<StoredItem<Key>>) throws {
        storage = try Storage(database, [table])
    }

    public func insert(_ item: StoredItem<Key>) throws -> Int64 { try storage.insert(object: item) }

    public func replace(_ item: StoredItem<Key>) throws { try storage.replace(object: item) }

    public func update(_ item: StoredItem<Key>) throws -> Bool { try storage.update(object: item) }

    public func delete(_ item: StoredItem<Key>) throws -> Bool { try storage.delete(object: item) }

    public func all() throws -> [StoredItem<Key>] { try storage.getAll() }

    public func transaction(_ body: () throws -> Void) throws { try storage.transaction(body) }
}

extension ItemStorage<Int64> {
    /// - Parameter hasTwoKeys: Whether the column `part` is also a part of the key.
    public init(_ database: Database, hasTwoKeys: Bool) throws {
        typealias Item = StoredItem<Int64>
        let part = hasTwoKeys ? Column("part", \Item.part, .primaryKey) : Column("part", \Item.part)
        try self.init(
            database,
            Table("items", Item.self) {
                Column("id", \Item.id, .primaryKey)
                part
                Column("name", \Item.name)
                Column("price", \Item.price)
                Column("note", \Item.note)
                Column("owner", \Item.owner)
                Column("stars", \Item.stars)
                Column("code", \Item.code)
                Column("data", \Item.data)
            })
    }
}

extension ItemStorage<String> {
    public init(_ database: Database) throws {
        typealias Item = StoredItem<String>
        try self.init(
            database,
            Table("items", Item.self) {
                Column("id", \Item.id, .primaryKey)
                Column("part", \Item.part)
                Column("name", \Item.name)
                Column("price", \Item.price)
                Column("note", \Item.note)
                Column("owner", \Item.owner)
                Column("stars", \Item.stars)
                Column("code", \Item.code)
                Column("data", \Item.data)
            })
    }
}
