import Squall

/// The link of a store to its database, on which a ``StoreConnection`` runs its statements, one after the other.
public protocol SQLRunner: Sendable {
    /// Runs one statement. Its rows are ignored.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    nonisolated(nonsending) func run(_ sql: SQL) async throws -> RunResult

    /// Runs any number of statements.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    nonisolated(nonsending) func execute(_ script: SQL) async throws

    /// Runs a query and reads its rows.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - rows: The rows that the caller needs. The store may deliver no others.
    ///   - read: Reads the result. A local store calls it with its connection and the query. A remote store copies the rows into a
    ///     table of a local connection first, and calls it with a query of that table. For ``QueriedRows/inParts`` it is called for
    ///     each part, and the last result is returned.
    /// - Throws: The errors of `read`, `SQLiteError`, `CancellationError`, and the errors of the store.
    nonisolated(nonsending) func query<Value: Sendable>(
        _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
    ) async throws -> Value
}

/// The rows of a query that its caller reads.
public enum QueriedRows: Sendable {
    /// The first row, if there is one.
    case first
    /// All rows at once.
    case all
    /// All rows, some at a time, so that not all of them are in memory.
    case inParts

    /// Creates the rows that a type of result needs: all for a collection, otherwise the first.
    init(for type: Any.Type) {
        self = type is any CollectionResult.Type ? .all : .first
    }
}

/// A result of more than one row.
private protocol CollectionResult {}

extension Array: CollectionResult {}
extension Set: CollectionResult {}
extension Dictionary: CollectionResult {}
extension Optional: CollectionResult where Wrapped: CollectionResult {}

/// The changes that a statement made.
public struct RunResult: Hashable, Codable, Sendable {
    /// The number of rows that the last INSERT, UPDATE or DELETE changed; see `Connection.changes`.
    public let changes: Int
    /// The rowid of the last row that was inserted; see `Connection.lastInsertRowID`.
    public let lastInsertRowID: Int64

    public init(changes: Int, lastInsertRowID: Int64) {
        self.changes = changes
        self.lastInsertRowID = lastInsertRowID
    }
}
