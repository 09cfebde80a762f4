/// Records what each transaction of a connection changes.
protocol TransactionRecorder: AnyObject {
    /// A statement is about to run that may commit the transaction.
    func willEndTransaction(on connection: Connection)

    /// A statement has ended that may have committed or rolled back, after ``Callbacks/isRecorderWaiting`` was set.
    func didEndStatement(on connection: Connection)
}
