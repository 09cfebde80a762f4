extension Connection {
    /// Returns a backup to another connection, to be run as a sequence of steps or all at once.
    ///
    ///     for try await progress in connection.backup(to: destination) {
    ///         print(progress.fractionCompleted)
    ///     }
    ///     try connection.backup(to: destination).run()
    ///
    /// - Parameters:
    ///   - sourceName: The database to copy: `main`, `temp`, or the name of an attached database.
    ///   - destination: The connection whose database is completely overwritten.
    ///   - destinationName: The database of the destination to overwrite.
    ///   - pagesPerStep: The number of pages to copy at a time; -1 for all.
    public func backup(
        databaseNamed sourceName: String = "main",
        to destination: Connection,
        as destinationName: String = "main",
        pagesPerStep: Int32 = 100
    ) -> Backup {
        Backup(
            source: self, sourceName: sourceName, destination: destination, destinationName: destinationName,
            pagesPerStep: pagesPerStep
        )
    }
}
