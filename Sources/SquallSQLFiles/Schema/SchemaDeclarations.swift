import Squall

/// The types that comments of schema files declare for columns, by table. They follow tables and columns through renames.
struct SchemaDeclarations: Sendable {
    private var types: [Identifier: [Identifier: TypeDeclaration]] = [:]
    /// The declarations of tables that the current file has dropped.
    private var dropped: [Identifier: [Identifier: TypeDeclaration]] = [:]
    /// The former names of tables that the current file has renamed, by their new names.
    private var formerNames: [Identifier: Identifier] = [:]

    /// The declared types of the columns of a table.
    subscript(_ table: Identifier) -> [Identifier: TypeDeclaration] { types[table] ?? [:] }

    /// Forgets what is only of importance inside one file.
    mutating func startFile() {
        (dropped, formerNames) = ([:], [:])
    }

    mutating func declare(_ type: TypeDeclaration, table: Identifier, column: Identifier) {
        types[table, default: [:]][column] = type
    }

    /// Follows a change of the schema.
    ///
    /// - Parameter columns: Returns the columns that a table has now; none for a table that does not exist.
    mutating func follow(_ change: SchemaChange, columns: (Identifier) -> [Identifier]) {
        switch change {
        case .created, .addedColumn: break
        case .renamedColumn(let table, let old, let new):
            if let type = types[table]?.removeValue(forKey: old) { types[table]?[new] = type }
        case .droppedColumn(let table, let column): types[table]?[column] = nil
        case .droppedView(let name): types[name] = nil
        case .renamedTable(let old, let new):
            let moved = types.removeValue(forKey: old)
            formerNames[new] = formerNames[old] ?? old
            types[new] = kept(dropped[new], in: columns(new)).merging(moved ?? [:]) { $1 }
        case .droppedTable(let name):
            let lost = types.removeValue(forKey: name)
            // The table was renamed, and one with its former name replaces it.
            if let former = formerNames[name] {
                types[former] = kept(lost, in: columns(former)).merging(types[former] ?? [:]) { $1 }
            }
            dropped[name] = lost
        }
    }

    /// The declarations of columns that a table has.
    private func kept(_ types: [Identifier: TypeDeclaration]?, in columns: [Identifier]) -> [Identifier:
        TypeDeclaration]
    {
        types?.filter { columns.contains($0.key) } ?? [:]
    }
}
