import NIOPosix

extension NodeConnection {
    /// Copies a database of the cluster into a file, as this node has it, and checks the file.
    ///
    /// The file is written under another name beside its own, and renamed when it is complete: it has no write-ahead log,
    /// and SQLite found no damage in it. The node sends the database in one message; see
    /// ``ConnectionSettings/maximumMessageSize``. The copy of a node that does not lead may lack the last commits.
    ///
    /// - Parameter replacing: Whether a file at the path is replaced.
    @discardableResult
    public nonisolated(nonsending) func exportDatabase(
        _ database: String, to path: String, replacing: Bool = false
    ) async throws -> TransferReport {
        let file = ExportFile(path: path, isReplacing: replacing)
        try file.check()
        let files = try await dump(database)
        guard let content = files.first?.content, !content.isEmpty else { throw TransferError.noDatabase(database) }
        return try await NIOThreadPool.singleton.runIfActive {
            try file.write(content, log: files.dropFirst().first?.content)
        }
    }
}
