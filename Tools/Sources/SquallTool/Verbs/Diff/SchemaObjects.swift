import Squall
import SquallBase

/// The tables, indexes, triggers and views of a file, without SQLite's own and without those that virtual tables keep their
/// rows in.
struct SchemaObjects {
    /// The objects, in the order in which they were created.
    private(set) var all: [SchemaEntry]
    /// The definitions of the tables that are not virtual.
    private(set) var definitions: [Identifier: TableDefinition] = [:]

    init(of connection: Connection) throws {
        all = try connection.schemaEntries()
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

    func objects(_ kind: SchemaEntry.Kind) -> [SchemaEntry] { all.filter { $0.kind == kind } }

    func object(_ kind: SchemaEntry.Kind, _ name: String) -> SchemaEntry? {
        all.first { $0.kind == kind && Identifier($0.name) == Identifier(name) }
    }

    /// The indexes or triggers of a table or a view.
    func objects(_ kind: SchemaEntry.Kind, of table: String) -> [SchemaEntry] {
        all.filter { $0.kind == kind && Identifier($0.table) == Identifier(table) }
    }
}

extension SchemaEntry {
    var isVirtual: Bool { kind == .table && normalized.hasPrefix("CREATE VIRTUAL ") }

    /// The SQL, without differences that do not matter.
    var normalized: String { SQLTokenizer.normalized(sql) }
}
