#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The result of a statement that returns no rows.
public struct ExecutionResult: Hashable, Sendable {
    /// The rowid of the last row that the connection inserted.
    public let lastInsertedRowID: Int64
    /// The number of rows that the last INSERT, UPDATE or DELETE of the connection changed. Other statements leave it.
    public let changes: Int

    public init(lastInsertedRowID: Int64, changes: Int) {
        self.lastInsertedRowID = lastInsertedRowID
        self.changes = changes
    }
}

/// A file of a dumped database: the database itself, or its write-ahead log with the suffix `-wal`.
public struct DumpedFile: Hashable, Sendable {
    public let name: String
    public let content: Data

    public init(name: String, content: Data) {
        self.name = name
        self.content = content
    }
}
