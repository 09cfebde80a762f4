/// The comparison of a file with what a program means by its tables.
///
/// There is one for each depth, and every verb uses one of them:
///
/// - ``changes(toMatch:)``: the definition of a table behaves like a declared one, however either is written. `plan`, `sync`, `drift`, and
///   `squall diff`, which has the definitions of both files, use it.
/// - ``differences(from:)``: a table has the columns that the program's SQL uses. `require` uses it, at each start of an app: it reads the
///   columns, and no SQL.
/// - ``checkUnderstanding(of:)``: the definition that the library has read from the SQL of a table is complete. A rebuild begins with it.
struct SchemaComparison {
    let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Returns the table of a file that a declared table has the name of, with the changes that turn it into the declared one; `nil` if there
    /// is none.
    func changes(toMatch table: TableDefinition) throws -> (from: TableDefinition, changes: [TableChange])? {
        try connection.tableInfo(table.name).map { ($0, TableComparison(from: $0, to: table).changes) }
    }
}
