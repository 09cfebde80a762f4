import SquallSQLite

/// Records what each transaction of a connection changes.
protocol TransactionRecorder: AnyObject {
    /// A statement is about to run that may commit the transaction.
    func willEndTransaction(on connection: Connection)

    /// A statement has ended that may have committed or rolled back, after ``Callbacks/isRecorderWaiting`` was set.
    func didEndStatement(on connection: Connection)
}

extension Statement {
    /// Whether the statement may commit an open transaction: `COMMIT`, `END`, or `RELEASE` of the outermost savepoint.
    var mayCommit: Bool {
        let sql = sqlite3_sql(handle)
        return Pragma.word("commit", begins: sql) || Pragma.word("end", begins: sql)
            || Pragma.word("release", begins: sql)
    }
}
