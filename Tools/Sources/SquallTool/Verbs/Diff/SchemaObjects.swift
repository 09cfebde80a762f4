import Squall
import SquallBase

/// The tables, indexes, triggers and views of a file, without SQLite's own and without those that virtual tables keep their
/// rows in.
struct SchemaObjects {
    struct Object {
        enum Kind: String {
            case table, index, trigger, view
        }

        let kind: Kind
        let name: String
        /// The table of an index, or the table or view of a trigger; for other objects their own name.
        let table: String
        let sql: String
        var isVirtual: Bool { kind == .table && normalized.hasPrefix("CREATE VIRTUAL ") }
        var normalized: String { SQLTokenizer.normalized(sql) }
    }

    /// The objects, in the order in which they were created.
    private(set) var all: [Object]
    /// The definitions of the tables that are not virtual.
    private(set) var definitions: [Identifier: TableDefinition] = [:]

    init(of connection: Connection) throws {
        let shadows: [String] = try connection.query(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
        )
        let hidden = Set(shadows.map { Identifier($0) })
        let rows: [Object?] = try connection.query(
            """
            SELECT type, name, tbl_name, sql FROM main.sqlite_master
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """
        ) { row -> Object? in
            guard let kind = Object.Kind(rawValue: try row.get(0)) else { return nil }
            return Object(kind: kind, name: try row.get(1), table: try row.get(2), sql: try row.get(3))
        }
        all = rows.compactMap(\.self).filter { !hidden.contains(Identifier($0.table)) }
        for object in all where object.kind == .table && !object.isVirtual {
            definitions[Identifier(object.name)] = try connection.tableInfo(object.name)
        }
    }

    /// Leaves out the tables that Squall keeps for itself, which belong to the file that has them.
    ///
    /// - Returns: Their names.
    mutating func leaveOutLibraryTables() -> [String] {
        let names = objects(.table).map(\.name).filter { Identifier($0).isOfLibrary }
        all.removeAll { Identifier($0.table).isOfLibrary }
        definitions = definitions.filter { !$0.key.isOfLibrary }
        return names
    }

    /// Keeps only the tables and views of the given names, with their indexes and triggers.
    mutating func keep(_ names: Set<Identifier>) {
        all.removeAll { !names.contains(Identifier($0.table)) }
        definitions = definitions.filter { names.contains($0.key) }
    }

    func objects(_ kind: Object.Kind) -> [Object] { all.filter { $0.kind == kind } }

    func object(_ kind: Object.Kind, _ name: String) -> Object? {
        all.first { $0.kind == kind && Identifier($0.name) == Identifier(name) }
    }

    /// The indexes or triggers of a table or a view.
    func objects(_ kind: Object.Kind, of table: String) -> [Object] {
        all.filter { $0.kind == kind && Identifier($0.table) == Identifier(table) }
    }
}
