import Squall

extension Output {
    /// Runs a statement and writes its rows, each as it comes.
    func write(rowsOf statement: Statement, as format: OutputFormat) throws {
        var hasRow = try statement.step()
        // The first step prepares the SQL again if the schema has changed. Only then do the names match the rows.
        var rows = try format.rowFormat.init(columns: statement.columnNames, output: self)
        while hasRow {
            try rows.write(statement.row?.cells ?? [])
            hasRow = try statement.step()
        }
        try rows.finish()
    }
}
