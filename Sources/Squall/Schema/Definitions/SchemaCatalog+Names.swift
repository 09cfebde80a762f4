extension SchemaCatalog.Entry {
    /// Whether the SQL makes the entry a virtual table, whatever a damaged file says about its rows.
    var isVirtual: Bool { kind == .table && TableParser(sql ?? "").isVirtual }
}

extension SchemaCatalog {
    /// Returns the names of the entries of one kind, without SQLite's internal ones and those that store a virtual table.
    func names(of kind: Entry.Kind, by order: Order) throws -> [String] {
        let entries = try entries(kind, by: order)
        let names = entries.filter { !$0.isOfSQLite }.map(\.name)
        guard kind == .table else { return names }
        let shadows = entries.flatMap { entry in
            VirtualTableParser(entry.sql ?? "").shadowEndings.map { Identifier("\(entry.name)_\($0)") }
        }
        return shadows.isEmpty ? names : names.filter { !shadows.contains(Identifier($0)) }
    }
}
