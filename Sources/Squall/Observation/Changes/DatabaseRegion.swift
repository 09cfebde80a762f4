/// Tables, or columns of a table, whose changes are followed: `.table("cars", columns: "price")`.
public struct DatabaseRegion: Hashable, Sendable {
    let table: TableName
    /// The columns; `nil` for all.
    let columns: Set<Identifier>?

    /// A table, with all its columns or some of them. Inserted and deleted rows are changes of any column.
    ///
    /// - Parameters:
    ///   - name: The table. It need not exist yet.
    ///   - columns: The columns; none for all. A name that the table does not have stands for all.
    ///   - database: The name of the database: `main`, or that of an attached one.
    public static func table(_ name: String, columns: String..., database: String = "main") -> DatabaseRegion {
        DatabaseRegion(
            table: TableName(Identifier(database), Identifier(name)),
            columns: columns.isEmpty ? nil : Set(columns.map { Identifier($0) }))
    }
}
