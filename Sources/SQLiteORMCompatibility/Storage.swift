import Squall

/// A database with its declared tables, where the type of a record is enough to name its table.
///
///     let storage = try Storage("app.db", User.table, points)
///     try storage.createTables()
///     let id = try storage.insert(User(id: 0, name: "John"))
///     let john: User? = try storage.get(id: id)
///
/// For everything else, use its `database`. Any number of threads can use a storage.
public final class Storage: Sendable {
    public let database: Database
    let tables: [any RecordTable]

    /// Opens a database, with the recommended configuration.
    ///
    /// - Parameters:
    ///   - path: The path; `":memory:"` and `""` are in memory.
    ///   - tables: The declared tables, one for each record type.
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) when the file cannot be opened, `SQLITE_MISUSE` (21) for two tables
    ///   of one record type.
    public convenience init(_ path: String, _ tables: any RecordTable...) throws {
        try self.init(Database(path.isEmpty ? ":memory:" : path), tables)
    }

    /// Makes a storage for an open database.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), for two tables of one record type.
    public init(_ database: Database, _ tables: [any RecordTable]) throws {
        self.database = database
        self.tables = tables
        var records: Set<ObjectIdentifier> = []
        for table in tables where !records.insert(Self.recordTypeID(of: table)).inserted {
            throw SQLiteError(StorageProblem.declaredTwice, of: .table(table.definition.name))
        }
    }

    private static func recordTypeID<T: RecordTable>(of table: T) -> ObjectIdentifier {
        ObjectIdentifier(T.Record.self)
    }

    /// Creates the missing tables and indexes, all or none.
    ///
    /// - Throws: ``SQLiteError``.
    public func createTables() throws {
        try database.blocking.write { connection in
            for table in tables { try connection.create(table, ifNotExists: true) }
        }
    }

    /// Runs a closure in a transaction. Its changes to the storage are committed together, or undone when it throws.
    ///
    /// - Throws: What the closure throws; ``SQLiteError``.
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        // The database's methods that the closure calls use the connection of this thread's transaction.
        try database.blocking.write { _ in try body() }
    }

    private func table<Record>(of type: Record.Type) throws -> any RecordTable<Record> {
        for table in tables {
            if let table = table as? any RecordTable<Record> { return table }
        }
        throw SQLiteError(StorageProblem.unknownRecord(type: "\(Record.self)"))
    }

    private func read<Record, Result>(
        _ type: Record.Type, _ body: (Connection.TableAccess<Record, Any>) throws -> Result
    ) throws -> Result {
        let table = try table(of: type)
        return try database.blocking.read { try body($0.table(withoutKey: table)) }
    }

    private func write<Record, Result>(
        _ type: Record.Type, _ body: (Connection.TableAccess<Record, Any>) throws -> Result
    ) throws -> Result {
        let table = try table(of: type)
        return try database.blocking.writeWithoutTransaction { try body($0.table(withoutKey: table)) }
    }
}

extension Storage {
    /// Inserts a record, and returns its rowid.
    ///
    /// The value of a non-optional integer key that is the rowid is ignored: SQLite assigns a new one. SQLite also assigns an
    /// optional key that is `nil`. Any other key is inserted, also each column of a composite key.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func insert<Record>(_ record: Record) throws -> Int64 {
        try write(Record.self) { try $0.insertAssigningKey(record) }
    }

    /// Inserts a record with its key, in place of the record that has this key.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace<Record>(_ record: Record) throws -> Int64 {
        try write(Record.self) { try $0.replace(record) }
    }

    /// Returns the record with a key, or `nil`: `let john: User? = try storage.get(id: 1)`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func get<Record, each Key: StatementParameter>(id: repeat each Key) throws -> Record? {
        try read(Record.self) { try $0.find(key: repeat each id) }
    }

    /// Returns the record with a key, or `nil`: `try storage.get(User.self, id: 1)`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func get<Record, each Key: StatementParameter>(
        _ type: Record.Type, id: repeat each Key
    ) throws -> Record? {
        try read(Record.self) { try $0.find(key: repeat each id) }
    }

    /// Returns all records, or those that meet a condition: `let users: [User] = try storage.all()`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func all<Record>(
        _ type: Record.Type = Record.self, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> [Record] {
        try read(Record.self) { try $0.all(where: condition) }
    }

    /// Updates the row with the key of a record.
    ///
    /// - Returns: Whether the row exists.
    /// - Throws: ``SQLiteError``, also for a table without a primary key.
    @discardableResult
    public func update<Record>(_ record: Record) throws -> Bool {
        try write(Record.self) { try $0.update(record) }
    }

    /// Deletes the row with the key of a record.
    ///
    /// - Returns: Whether the row existed.
    /// - Throws: ``SQLiteError``, also for a table without a primary key.
    @discardableResult
    public func delete<Record>(_ record: Record) throws -> Bool {
        try write(Record.self) { try $0.delete(record) }
    }

    /// Returns the number of records, or of those that meet a condition.
    ///
    /// - Throws: ``SQLiteError``.
    public func count<Record>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Int {
        try read(Record.self) { try $0.count(where: condition) }
    }
}
