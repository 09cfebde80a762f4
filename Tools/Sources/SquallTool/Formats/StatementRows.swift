import Squall

extension Output {
    /// Runs a statement and writes its rows, each as it comes. Those before an error, such as damage, are printed also in the
    /// format that prints at the end.
    func write(rowsOf statement: Statement, as format: OutputFormat) throws {
        var hasRow = try statement.step()
        // The first step prepares the SQL again if the schema has changed. Only then do the names match the rows.
        var rows = try format.rowFormat.init(columns: statement.columnNames, output: self)
        do {
            while hasRow {
                try rows.write(statement.row?.cells ?? [])
                hasRow = try statement.step()
            }
        } catch let error as SQLiteError where error.resultCode != .interrupt {
            if format == .table { try rows.finish() }
            throw error
        }
        try rows.finish()
    }
}
