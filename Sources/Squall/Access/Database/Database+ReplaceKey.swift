import Dispatch
import SquallSQLite

extension Database {
    /// The key of the file; `nil` if it is not encrypted.
    package var key: (any FileKey)? { readerFactory.configuration.key?.base }

    /// Encrypts the file with another key. The writer does it, after the running reads; later calls wait, and then use connections that
    /// have the new key.
    ///
    /// - Parameters:
    ///   - key: The new key.
    ///   - blocked: The error for a database of which a snapshot or a backup is open.
    package nonisolated(nonsending) func replaceKey(
        with key: any FileKey, orThrow blocked: SQLiteError, deadline: Duration?
    ) async throws {
        try await intercepted(.write) {
            try await performWrite(deadline) { try replaceKey(with: key, orThrow: blocked, on: $0) }
        }
    }

    fileprivate func replaceKey(with key: any FileKey, orThrow blocked: SQLiteError, on writer: PooledConnection) throws
    {
        let connection = writer.connection
        let end = connection.interruption.deadline ?? Deadline(after: .seconds(1_000_000_000))
        let isReplaced = try readers.holding(until: end, connection.interruption.cancellation) {
            // No read runs that could open a snapshot or a backup.
            guard backups.all.allSatisfy(\.hasEnded), snapshots.all.allSatisfy({ $0.isFinished || $0.isReopened })
            else {
                throw blocked
            }
            try readers.file?.check()
            readers.closeIdle()
            for core in snapshots.all { core.close() }
            try replaceKey(with: key, of: writer)
            return true
        }
        guard isReplaced == nil else { return }
        try connection.checkMayBegin()
        throw blocked
    }

    private func replaceKey<Key: FileKey>(with key: Key, of writer: PooledConnection) throws {
        let connection = writer.connection
        try connection.checkMayBegin()
        guard let handle = connection.handle else { throw connection.closedError() }
        if connection.readOnly { throw SQLiteError(code: SQLITE_READONLY, message: "\(ResultCode.readOnly)") }
        for file in try connection.filesAttachedWithoutKey() where self.key.flatMap({ Self.opens(file, $0) }) == true {
            throw Key.sharedKey(ofFile: file)
        }
        try connection.internally(isHidden: true) {
            // The cipher may not report why it cannot write.
            try connection.execute("BEGIN EXCLUSIVE")
            try connection.execute("ROLLBACK")
        }
        do {
            try connection.internally(isHidden: true) { try key.encryptAgain(handle) }
        } catch {
            // The library may write its next page with the new key.
            let path = connection.fileName
            self.writer.closeNow(writer)
            let isOld = self.key.flatMap { Self.opens(path, $0) }
            guard isOld == false, Self.opens(path, key, isWhole: true) == true else {
                if isOld != true { readerFactory.configuration.key?.mayBe(key) }
                throw error
            }
            // The change was committed, and an error followed it.
        }
        readerFactory.configuration.key?.replace(with: key)
        // The pages of the log that have the old key are of no use. Another process that reads may keep them.
        _ = try? connection.withDeadline(at: Deadline(after: .zero)) {
            try connection.checkpoint(mode: .truncate, beginsAtDeadline: true)
        }
    }

    /// Returns whether a key is that of a file, and plays back the journal of a change that has failed; `nil` if the file
    /// cannot be read.
    ///
    /// - Parameter isWhole: Whether it must be the key of all pages.
    private static func opens(_ path: String, _ key: any FileKey, isWhole: Bool = false) -> Bool? {
        do {
            let connection = try Connection(path, mode: .existing, configuration: .sqlite.with(AnyFileKey(key)))
            return try !isWhole || connection.quickCheck(maxErrors: 1).isEmpty
        } catch {
            return (error as? SQLiteError)?.problem(FileProblem.self) == .wrongKey ? false : nil
        }
    }
}

extension Database.Blocking {
    /// Encrypts the file with another key as ``Database/replaceKey(with:orThrow:deadline:)`` does.
    package func replaceKey(with key: any FileKey, orThrow blocked: SQLiteError, deadline: Duration?) throws {
        let end = deadline.map { Deadline(after: $0) }
        let lease = try database.beginWrite(until: end)
        try database.endingWrite(lease, until: end) { _ in
            try database.replaceKey(with: key, orThrow: blocked, on: lease.pooled)
        }
    }
}
