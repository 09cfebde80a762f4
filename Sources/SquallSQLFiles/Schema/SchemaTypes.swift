/// The Swift types that comments in the schema declare for columns. They follow their columns through renames.
struct SchemaTypes {
    private var types: [Name: [Name: TypeDeclaration]] = [:]

    /// The declared types of the columns of a table.
    subscript(_ table: Name) -> [Name: TypeDeclaration] { types[table] ?? [:] }

    mutating func declare(_ type: TypeDeclaration, for column: Name, of table: Name) {
        types[table, default: [:]][column] = type
    }

    mutating func apply(_ alteration: Alteration) {
        switch alteration {
        case .renameTable(let old, let new):
            // A rebuild drops a table and gives its name to a new one, which keeps the declarations of the old.
            let kept = types.removeValue(forKey: new) ?? [:]
            types[new] = kept.merging(types.removeValue(forKey: old) ?? [:]) { $1 }
        case .renameColumn(let old, let new, let table):
            if let type = types[table]?.removeValue(forKey: old) { types[table]?[new] = type }
        case .dropColumn(let column, let table): types[table]?[column] = nil
        // The declarations stay for a table that takes the name.
        case .dropTable: break
        }
    }
}
