/// Follows the transactions of a connection.
protocol TransactionListener: AnyObject {
    /// A statement that begins, releases or rolls back to a savepoint has run.
    func didRun(_ action: SavepointAction)

    /// A statement or a commit has ended after SQLite has called the commit hook.
    func didEndStatement(on connection: Connection)

    /// Bytes of a value have been written, which the update hook does not report.
    func didWriteValue(in table: String, of database: String)

    /// A backup has replaced a database of the connection.
    func didReplaceDatabase(of connection: Connection)
}
