/// The tables, indexes, triggers and views of one database of a connection, read from its `sqlite_schema`.
///
/// Names are compared by SQLite's rules.
struct SchemaCatalog {
    /// An entry of `sqlite_schema`.
    struct Entry {
        enum Kind: String, CaseIterable {
            case table, index, trigger, view
        }

        let kind: Kind
        let name: String
        /// The table of an index, or the table or view of a trigger; for other entries their own name.
        let table: String
        /// `nil` for an index that SQLite created for a constraint.
        let sql: String?

        /// Whether the entry is a virtual table.
        var isVirtual: Bool { kind == .table && TableParser(sql ?? "").isVirtual }
    }

    /// A column as `PRAGMA table_xinfo` reports it.
    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        let defaultValue: String?
        let isGenerated: Bool
    }

    enum Order: String {
        case name
        /// The order in which SQLite stored the entries.
        case creation = "rowid"
    }

    private let connection: Connection
    private let schema: String
    /// `sqlite_schema` under its older name, which every version accepts. The table for temporary objects has a different
    /// name.
    private let source: SQL

    fileprivate init(_ connection: Connection, of schema: String) {
        self.connection = connection
        self.schema = schema
        source = schema.isSameName(as: "temp") ? "sqlite_temp_master" : "\(name: schema).sqlite_master"
    }
}

extension Connection {
    /// The catalog of a database: `main`, `temp`, or one that was attached.
    func catalog(of schema: String = "main") -> SchemaCatalog { SchemaCatalog(self, of: schema) }
}

extension SchemaCatalog {
    /// Returns the entries of the given kinds.
    ///
    /// - Parameter table: The table to which the entries belong; `nil` for all entries.
    func entries(_ kinds: Entry.Kind..., ofTable table: String? = nil, by order: Order) throws -> [Entry] {
        try entries(kinds, where: table.map { "tbl_name = \($0) COLLATE NOCASE" }, by: order)
    }

    /// Returns the entry of one of the given kinds with the given name.
    func entry(_ kinds: Entry.Kind..., named name: String) throws -> Entry? {
        try entries(kinds, named: name).first
    }

    private func entries(_ kinds: [Entry.Kind], named name: String) throws -> [Entry] {
        try entries(kinds, where: "name = \(name) COLLATE NOCASE", by: .creation)
    }

    private func entries(_ kinds: [Entry.Kind], where condition: SQL?, by order: Order) throws -> [Entry] {
        let list = kinds.map { "\($0.rawValue)" as SQL }.joined(separator: ", ")
        return try connection.query(
            """
            SELECT type, name, tbl_name, sql FROM \(source) \
            WHERE type IN (\(list)) AND \(condition ?? "1") ORDER BY \(raw: order.rawValue)
            """
        ) { row -> Entry? in
            guard let kind = Entry.Kind(rawValue: try row.get(0)) else { return nil }
            return Entry(kind: kind, name: try row.get(1), table: try row.get(2), sql: try row.get(3))
        }.compactMap(\.self)
    }

    /// Returns the names of the entries of one kind, without SQLite's internal ones and those that store a virtual table.
    func names(of kind: Entry.Kind, by order: Order) throws -> [String] {
        let entries = try entries(kind, by: order)
        let names = entries.map(\.name).filter { !$0.isReservedName }
        guard kind == .table else { return names }
        let shadows = entries.flatMap { entry in
            SearchTableParser(entry.sql ?? "").shadowEndings.map { Identifier("\(entry.name)_\($0)") }
        }
        return shadows.isEmpty ? names : names.filter { !shadows.contains(Identifier($0)) }
    }

    /// Returns the names of the tables whose SQL may declare foreign keys.
    func tablesWithForeignKeys() throws -> [String] {
        try entries([.table], where: "sql LIKE '%REFERENCES%'", by: .creation).map(\.name)
    }

    /// Returns whether an entry of one of the given kinds has the given name.
    func has(_ kinds: Entry.Kind..., named name: String) throws -> Bool {
        try !entries(kinds, named: name).isEmpty
    }

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

    /// Returns the columns of a table or a view, without the hidden ones of virtual tables.
    func columns(ofTable table: String) throws -> [Column] {
        try connection.query(
            """
            SELECT name, type, "notnull", dflt_value, hidden <> 0 FROM pragma_table_xinfo(\(table), \(schema)) \
            WHERE hidden <> 1
            """
        ) {
            Column(
                name: try $0.get(0), type: try $0.get(1), isNotNull: try $0.get(2), defaultValue: try $0.get(3),
                isGenerated: try $0.get(4)
            )
        }
    }
}

extension String {
    /// Whether only SQLite itself may create an object with this name.
    fileprivate var isReservedName: Bool { Identifier(String(decoding: utf8.prefix(7), as: UTF8.self)) == "sqlite_" }
}
