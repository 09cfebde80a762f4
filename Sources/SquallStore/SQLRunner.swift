import Squall

/// Runs the statements of a ``SQLSession``. A store implements it, with one connection to its database.
public protocol SQLRunner: Sendable {
    /// Runs one statement. Rows that it returns are dropped.
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
    ///   - rows: The rows that are read.
    ///   - read: Called with a connection and the SQL of a query that returns the rows there: the query itself, or one of
    ///     a table that has received them. For ``QueriedRows/inParts`` it is called for each part, and the last
    ///     result counts.
    /// - Throws: What `read` throws, `SQLiteError`, `CancellationError`, and the errors of the store.
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

    /// The rows that a result of a type is made of.
    init(for type: Any.Type) {
        self = type is any ManyRows.Type ? .all : .first
    }
}

/// A result that is made of more than one row.
private protocol ManyRows {}

extension Array: ManyRows {}
extension Set: ManyRows {}
extension Dictionary: ManyRows {}
extension Optional: ManyRows where Wrapped: ManyRows {}

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
