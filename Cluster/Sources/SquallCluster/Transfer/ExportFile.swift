import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file that an exported database becomes.
struct ExportFile: Sendable {
    let path: String
    let isReplacing: Bool

    /// Throws an error if the file exists and is not to be replaced.
    func check() throws(TransferError) {
        if !isReplacing, access(path, F_OK) == 0 { throw .fileExists(path) }
    }

    /// Writes a database and its write-ahead log, checks them and renames the file.
    func write(_ content: Data, log: Data?) throws -> TransferReport {
        let temporary = "\(path).\(UUID().uuidString)"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(temporary + suffix) } }
        try write(content, to: temporary)
        if let log, !log.isEmpty { try write(log, to: temporary + "-wal") }
        let report = try Self.check(temporary)
        try synchronize(temporary)
        try rename(temporary)
        return report
    }

    /// Moves the log into the database, checks it and counts its rows.
    private static func check(_ path: String) throws -> TransferReport {
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        _ = try connection.checkpoint(mode: .truncate)
        try connection.execute("PRAGMA journal_mode = DELETE")
        let problems = try connection.quickCheck() + (try connection.integrityCheck())
        guard problems.isEmpty else { throw TransferError.damaged(problems: problems) }
        return TransferReport(
            rows: try CopiedTable.all(of: connection).reduce(into: [:]) { rows, table in
                rows[table.name] = try connection.query(SQL(raw: "SELECT count(*) FROM \(table.name.quoted)")) as Int
            })
    }

    private func write(_ content: Data, to path: String) throws(TransferError) {
        do {
            try content.write(to: URL(filePath: path))
        } catch {
            throw .file(path, reason: "\(error)")
        }
    }

    private func synchronize(_ path: String) throws(TransferError) {
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw systemError(path) }
    }

    private func rename(_ temporary: String) throws(TransferError) {
        // A link does not replace a file that another program has made.
        if isReplacing ? moveFile(temporary, path) == 0 : link(temporary, path) == 0 { return }
        throw errno == EEXIST ? .fileExists(path) : systemError(path)
    }

    private func systemError(_ path: String) -> TransferError {
        .file(path, reason: String(cString: strerror(errno)))
    }
}

/// The function of the C library, which the method of the same name hides.
private func moveFile(_ old: String, _ new: String) -> Int32 { rename(old, new) }

extension String {
    /// The text as a name in SQL.
    var quoted: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
