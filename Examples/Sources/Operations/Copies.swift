import Squall

/// Copies a database by hand, in steps.
func copyByHand() throws {
    let source = try Connection("source.db")
    try source.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, data BLOB)")
    for _ in 0..<8 { try source.insert(into: "files", ["data": ZeroBlob(count: 20_000)]) }
    try stamp(1, with: "2026", on: source, mode: .readWrite)
    _ = try source.checkpoint()

    print("Copies:")
    var steps: [BackupProgress] = []
    let backup: Backup = source.backup(to: try Connection("copy.db"), pagesPerStep: 10)
    try backup.run { steps.append($0) }
    print("  \(steps.count) steps, the first one copied \(steps[0].completed) of \(steps[0].total) pages")
    try stamp(1, with: "2027", on: try Connection("copy.db", mode: .readOnly), mode: .readOnly)
}

/// Writes a text at the start of a value in place, where the connection may write.
private func stamp(_ row: Int64, with text: String, on connection: Connection, mode: Blob.Mode) throws {
    try connection.withBlob(in: "files", column: "data", row: row, mode: mode) { blob in
        if mode == .readWrite { try blob.write(Array(text.utf8), at: 0) }
        print("  the first file begins with \(try head(of: blob))")
    }
}

private func head(of blob: borrowing Blob) throws -> String {
    String(decoding: try blob.data(in: 0..<4), as: UTF8.self)
}

/// Copies the database of a server while others read and write it.
func copyServer() async throws {
    let database = try Database("source.db")
    let backup: DatabaseBackup = database.backup(to: "night.db", pagesPerStep: 1_000)
    var last: BackupProgress?
    for try await progress in backup { last = progress }
    print("  the copy of the night is \(last?.fractionCompleted == 1 ? "complete" : "missing")")
    try await database.close()
}
