import Foundation
import Squall

/// A type of the key column of `items`.
protocol ItemKey: Hashable, Sendable, Bindable where ColumnBase == Self {
    init(number: Int64)
    /// Reads the first column of a row.
    init(firstOf row: Row) throws
    /// The number from which the key was made.
    var number: Int64 { get }
}

extension Int64: ItemKey {
    init(number: Int64) { self = number }

    init(firstOf row: Row) throws { self = try row.get(0) }

    var number: Int64 { self }
}

extension String: ItemKey {
    init(number: Int64) { self = "k\(number)" }

    init(firstOf row: Row) throws { self = try row.get(0) }

    var number: Int64 { Int64(dropFirst()) ?? -1 }
}

extension UUID: ItemKey {
    init(firstOf row: Row) throws {
        let text: String = try row.get(0)
        self = try UUID(uuidString: text) ?? { throw Violation(description: "the key \(text) is not a UUID") }()
    }

    var number: Int64 { Int64(uuid.14) << 8 | Int64(uuid.15) }
}

/// A row of `items` for the verbs of records.
struct Item<Key: ItemKey>: Sendable {
    let id: Key
    let part: Int64
    let name: String
    let price: Double?
    let note: String?
    let owner: Int64?
    let stars: Int64
    let code: Int64?
    let seen: Date?
    let data: Data?
}

extension Item {
    init(_ row: ItemRow) {
        id = Key(number: row.id)
        (part, name, price, note, owner) = (row.part, row.name, row.price, row.note, row.owner)
        (stars, code, seen, data) = (row.stars, row.code, row.seen, row.data)
    }

    /// The row of the model that is equal to the record.
    var row: ItemRow {
        var row = ItemRow(id: id.number)
        (row.name, row.price, row.note, row.owner) = (name, price, note, owner)
        (row.stars, row.code, row.seen, row.data) = (stars, code, seen, data)
        return row
    }
}

/// The verbs of records on the table `items`, whatever the type of its key.
struct ItemVerbs: Sendable {
    let insert: @Sendable (Connection, [ItemRow]) throws -> Void
    let replace: @Sendable (Connection, ItemRow) throws -> Void
    let upsert: @Sendable (Connection, ItemRow) throws -> Void
    /// Updates some columns or all, and returns whether the row was there.
    let update: @Sendable (Connection, ItemRow) throws -> Bool
    let delete: @Sendable (Connection, ItemRow) throws -> Bool
    /// Gives a row another key, and returns whether it was there.
    let move: @Sendable (Connection, ItemRow, Int64) throws -> Bool
    let insertReturning: @Sendable (Connection, ItemRow) throws -> ItemRow
    /// Inserts rows with a prepared statement.
    let insertPrepared: @Sendable (Connection, [ItemRow]) throws -> Void
    let all: @Sendable (Connection) throws -> [ItemRow]
    /// Reads the rows with some keys, in the order of the keys.
    let find: @Sendable (Connection, [Int64]) throws -> [ItemRow]
    /// Reads all rows in pages of a size.
    let pages: @Sendable (Connection, Int) throws -> [ItemRow]

    static func make(for shape: TableShape) -> ItemVerbs {
        switch shape.key {
        case .integer, .autoincrement, .untyped: make(shape, Column("id", \Item<Int64>.id, .primaryKey))
        case .composite: make(shape, Column("id", \Item<Int64>.id, .primaryKey), hasTwoKeys: true)
        case .text: make(shape, Column("id", \Item<String>.id, .primaryKey))
        case .uuid: make(shape, Column("id", \Item<UUID>.id, as: .lowercaseText, .primaryKey))
        }
    }

    private static func make<Key>(
        _ shape: TableShape, _ key: Column<Item<Key>, Key>, hasTwoKeys: Bool = false
    ) -> ItemVerbs {
        typealias Record = Item<Key>
        let part = hasTwoKeys ? Column("part", \Record.part, .primaryKey) : Column("part", \Record.part)
        let seen =
            switch shape.dates {
            case .standard: Column("seen", \Record.seen)
            case .unixTime: Column("seen", \Record.seen, as: .unixTime)
            case .unixMilliseconds: Column("seen", \Record.seen, as: .unixMilliseconds)
            case .julianDay: Column("seen", \Record.seen, as: .julianDay)
            }
        let data =
            shape.hasJSON ? Column("data", \Record.data, as: .json) : Column("data", \Record.data)
        let table = Table(
            "items", Record.init(id:part:name:price:note:owner:stars:code:seen:data:), key, part,
            Column("name", \Record.name), Column("price", \Record.price), Column("note", \Record.note),
            Column("owner", \Record.owner), Column("stars", \Record.stars), Column("code", \Record.code), seen,
            data)
        return ItemVerbs(
            insert: { connection, rows in
                let access = connection.table(table)
                if rows.count == 1 {
                    try access.insert(Record(rows[0]))
                } else {
                    try access.insert(contentsOf: rows.map(Record.init))
                }
            },
            replace: { try $0.table(table).replace(Record($1)) },
            upsert: { connection, row in
                // A composite key is the target by both columns.
                if hasTwoKeys {
                    try connection.table(table).upsert(Record(row), onConflict: \.part, \.id)
                } else {
                    try connection.table(table).upsert(Record(row), onConflict: \.id)
                }
            },
            update: { try $0.table(table).update(Record($1)) },
            delete: { try $0.table(table).delete(Record($1)) },
            move: { connection, row, id in
                try connection.table(table).update {
                    $0.id.set(to: Key(number: id))
                    $0.part.set(to: id % 3)
                } where: {
                    $0.id == Key(number: row.id) && $0.part == row.part
                } > 0
            },
            insertReturning: { try $0.table(table).insertReturning(Record($1)).row },
            insertPrepared: { connection, rows in
                let statement = try connection.prepareInsert(into: table)
                for row in rows.map(Record.init) {
                    try statement.run(
                        row.id, row.part, row.name, row.price, row.note, row.owner, row.stars, row.code, row.seen,
                        row.data)
                }
            },
            all: { try completed($0.table(table).all().map(\.row), $0, shape, Key.self) },
            find: { connection, ids in
                let access = connection.table(table)
                let rows =
                    if hasTwoKeys {
                        try ids.compactMap { try access.find(key: Key(number: $0), ItemRow(id: $0).part)?.row }
                    } else if ids.count == 1 {
                        try ids.compactMap { try access.find(Key(number: $0))?.row }
                    } else {
                        try access.find(keys: ids.map(Key.init(number:))).map(\.row)
                    }
                return try completed(rows, connection, shape, Key.self)
            },
            pages: { connection, size in
                var page = try connection.page(table.order { $0.stars.descending }, size: size)
                var rows = page.items.map(\.row)
                while let next = page.next {
                    page = try connection.page(table.order { $0.stars.descending }, after: next, size: size)
                    rows += page.items.map(\.row)
                }
                return try completed(rows, connection, shape, Key.self)
            })
    }

    /// Returns rows with the values of the column that no record has.
    private static func completed<Key: ItemKey>(
        _ rows: [ItemRow], _ connection: Connection, _ shape: TableShape, _ key: Key.Type
    ) throws -> [ItemRow] {
        guard let column = shape.lateColumn else { return rows }
        var values: [Int64: Double?] = [:]
        try connection.forEach("SELECT id, \(name: column) FROM items") { row in
            values[try Key(firstOf: row).number] = .some(try row.get(1))
        }
        return rows.map { row in
            var row = row
            if let value = values[row.id] { row.late = value }
            return row
        }
    }
}
