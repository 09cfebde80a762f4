/// The tables, indexes, triggers and views of one database of a connection, as SQLite reports them: in `sqlite_schema` and the PRAGMAs
/// about tables. No other type of the library reads those.
///
/// Names are compared by SQLite's rules.
package struct SchemaCatalog {
    fileprivate enum Reader {
        /// The statements of the program. Its authorizers, trace observers and deadlines apply to them.
        case program
        /// Statements of the library, on a handle.
        case library(OpaquePointer)
    }

    private let connection: Connection
    private let reader: Reader
    /// The name of the database; `nil` for the databases in which SQL finds a name without one.
    private let schema: String?

    fileprivate init(_ connection: Connection, of schema: String?, _ reader: Reader) {
        self.connection = connection
        self.schema = schema
        self.reader = reader
    }
}

extension Connection {
    /// The catalog of a database: `main`, `temp`, or one that was attached. It is read as the program's own SQL would be.
    package func catalog(of schema: String = "main") -> SchemaCatalog { SchemaCatalog(self, of: schema, .program) }

    /// The catalog of a database. The program does not notice that it is read: see ``forEachRowInternally(_:on:_:)``.
    ///
    /// - Parameters:
    ///   - schema: The name of the database; `nil` for the databases in which SQL finds a name without one.
    ///   - handle: The handle; `nil` for that of the connection, which it does not have inside a hook.
    package func hiddenCatalog(of schema: String? = "main", on handle: OpaquePointer? = nil) throws -> SchemaCatalog {
        guard let handle = handle ?? self.handle else { throw closedError() }
        return SchemaCatalog(self, of: schema, .library(handle))
    }
}

// MARK: - Reading

extension SchemaCatalog {
    /// Calls a closure with each row of a query of the catalog.
    private func forEach(_ sql: SQL, _ body: (InternalRow) -> Void) throws {
        switch reader {
        case .library(let handle): try connection.forEachRowInternally(sql, on: handle, body)
        case .program:
            let statement = try Statement(preparing: sql, on: connection)
            while try statement.step() { body(InternalRow(statement.handle)) }
        }
    }

    /// Calls a closure with each row of a PRAGMA about a table or an index. As a function, `pragma_table_xinfo(…)`, its name could also mean
    /// a table of the file.
    ///
    /// - Parameter name: The name of the table or the index; `nil` for all.
    func forEach(_ pragma: StaticString, _ name: String?, _ body: (InternalRow) -> Void) throws {
        let prefix: SQL = schema.map { "\(name: $0)." } ?? ""
        let argument: SQL = name.map { "(\(name: $0))" } ?? ""
        try forEach("PRAGMA \(prefix)\(raw: "\(pragma)")\(argument)", body)
    }
}

// MARK: - Entries

extension SchemaCatalog {
    /// An entry of `sqlite_schema`.
    package struct Entry {
        package enum Kind: String, CaseIterable {
            case table
            case index
            case trigger
            case view
        }

        package let kind: Kind
        package let name: String
        /// The table of an index, or the table or view of a trigger; for other entries their own name.
        package let table: String
        /// `nil` for an index that SQLite created for a constraint.
        package let sql: String?
        /// Whether the file has rows for it: it is an index, or a table that is not virtual.
        package let isStored: Bool

        /// Whether only SQLite itself may create an object with the name.
        package var isOfSQLite: Bool { Identifier(String(decoding: name.utf8.prefix(7), as: UTF8.self)) == "sqlite_" }
    }

    package enum Order: String {
        case name
        /// The order in which SQLite stored the entries.
        case creation = "rowid"
    }

    /// A query of one row, with which SQLite begins to read the file, and reads the schema.
    package static let firstRow: SQL = "SELECT 1 FROM main.sqlite_master LIMIT 1"
    /// A query of the type, the name and the SQL of each entry that has SQL, in the order of creation.
    package static let definitions: SQL =
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    /// Returns a statement that gives a database the entries of `main` that the file has no rows for. `writable_schema` must be on.
    package static func copyOfEntriesWithoutRows(to database: String) -> SQL {
        """
        INSERT INTO \(name: database).sqlite_schema SELECT type, name, tbl_name, 0, sql FROM main.sqlite_schema \
        WHERE type IN ('view', 'trigger') OR (type = 'table' AND rootpage = 0)
        """
    }

    /// A statement with which a connection reads the statistics again.
    package static let rereadStatistics: SQL = "ANALYZE sqlite_master"

    /// Returns the entries of the given kinds.
    ///
    /// - Parameter table: The table to which the entries belong; `nil` for all entries.
    package func entries(_ kinds: Entry.Kind..., ofTable table: String? = nil, by order: Order) throws -> [Entry] {
        try entries(kinds, where: table.map { "tbl_name = \($0) COLLATE NOCASE" }, by: order)
    }

    /// Returns the entry of one of the given kinds with the given name.
    package func entry(_ kinds: Entry.Kind..., named name: String) throws -> Entry? {
        try entries(kinds, named: name).first
    }

    /// Returns whether an entry of one of the given kinds has the given name.
    package func has(_ kinds: Entry.Kind..., named name: String) throws -> Bool {
        try !entries(kinds, named: name).isEmpty
    }

    /// Returns the virtual tables, in the order of creation.
    func virtualTables() throws -> [Entry] { try entries([.table], where: "rootpage = 0", by: .creation) }

    /// Returns the tables whose SQL contains a word, perhaps as a part of something else.
    package func tables(withWord word: StaticString, by order: Order = .creation) throws -> [Entry] {
        try entries([.table], where: "sql LIKE '%' || \("\(word)") || '%'", by: order)
    }

    /// Returns the names of the tables whose SQL may declare foreign keys.
    package func tablesWithForeignKeys() throws -> [String] { try tables(withWord: "REFERENCES").map(\.name) }

    /// Returns a name that no entry has: the given name, or that name followed by a number.
    func freeName(_ base: String) throws -> String {
        var name = base
        var number = 2
        while try !entries(Entry.Kind.allCases, named: name).isEmpty {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }

    /// Returns the number of entries.
    package func count() throws -> Int {
        var count = 0
        try forEach("SELECT count(*) FROM \(source)") { count = $0.int(0) }
        return count
    }

    private func entries(_ kinds: [Entry.Kind], named name: String) throws -> [Entry] {
        try entries(kinds, where: "name = \(name) COLLATE NOCASE", by: .creation)
    }

    private func entries(_ kinds: [Entry.Kind], where condition: SQL?, by order: Order) throws -> [Entry] {
        let list = kinds.map { "\($0.rawValue)" as SQL }.joined(separator: ", ")
        var entries: [Entry] = []
        try forEach(
            """
            SELECT type, name, tbl_name, sql, rootpage <> 0 FROM \(source) \
            WHERE type IN (\(list)) AND \(condition ?? "1") ORDER BY \(raw: order.rawValue)
            """
        ) { row in
            guard let kind = Entry.Kind(rawValue: row.text(0)) else { return }
            entries.append(
                Entry(
                    kind: kind, name: row.text(1), table: row.text(2), sql: row.optionalText(3), isStored: row.bool(4)))
        }
        return entries
    }

    /// Makes SQLite read a schema that another connection has changed: it compares the versions only at a step.
    func readChanges() throws { try forEach("SELECT 1 FROM \(source) LIMIT 1") { _ in } }

    /// `sqlite_schema` under its older name, which every version accepts.
    private var source: SQL { "\(name: schema ?? "main").sqlite_master" }
}
