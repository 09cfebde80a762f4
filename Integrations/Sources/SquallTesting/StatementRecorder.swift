import IntegrationSupport
import Squall

/// A statement that has run.
struct RecordedStatement: Sendable {
    /// The SQL as it was written.
    let sql: String
    /// The SQL with its values in place.
    let expandedSQL: String
}

/// The statements of the program that run on a connection or a database, in the order in which they begin.
///
/// Statements that triggers, functions and virtual tables run are not recorded, nor are PRAGMA statements.
final class StatementRecorder: Sendable {
    private let recorded = Locked<[RecordedStatement]>([])
    private let includesTransactions: Bool

    /// - Parameter includesTransactions: Whether BEGIN, COMMIT, END, ROLLBACK, SAVEPOINT and RELEASE are recorded.
    init(includingTransactions includesTransactions: Bool = false) {
        self.includesTransactions = includesTransactions
    }

    /// Runs a closure, and returns its result with the statements that ran.
    func record<Result>(
        on connection: Connection, _ body: () throws -> Result
    ) rethrows -> (Result, [RecordedStatement]) {
        let token = connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { self.receive($0) }
        defer { token.cancel() }
        let result = try body()
        return (result, recorded.withLock { $0 })
    }

    /// Runs a closure, and returns its result with the statements that ran on all connections.
    nonisolated(nonsending) func record<Result>(
        on database: Database, _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> (Result, [RecordedStatement]) {
        let token = database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { self.receive($0) }
        defer { token.cancel() }
        let result = try await body()
        return (result, recorded.withLock { $0 })
    }

    private func receive(_ event: Connection.TraceEvent) {
        guard case .statement(let expandedSQL, let sql) = event, Self.isOfProgram(sql: sql, expandedSQL) else { return }
        switch SQLText.firstWord(of: sql) {
        case "PRAGMA", "": return
        case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
            if !includesTransactions { return }
        default: break
        }
        recorded.withLock { $0.append(RecordedStatement(sql: sql, expandedSQL: expandedSQL)) }
    }

    /// Whether an event is of a statement of the program.
    ///
    /// SQLite reports a step of a trigger as a comment in place of the SQL. A statement that runs inside another has
    /// `-- ` at the beginning of its SQL, and at the beginning of each line of its SQL with values. So a statement of
    /// the program that begins with a comment is one whose first lines are equal, and which is not all comment.
    private static func isOfProgram(sql: String, _ expandedSQL: String) -> Bool {
        guard sql.hasPrefix("--") else { return !isOfVirtualTable(sql) }
        let firstLine = sql.prefix { !$0.isNewline }
        return firstLine == expandedSQL.prefix { !$0.isNewline } && SQLText.hasStatement(expandedSQL)
    }

    /// Whether SQL is of a virtual table that reads its settings at its first use, outside any other statement: FTS5
    /// runs `SELECT k, v FROM 'main'.'words_config'`.
    private static func isOfVirtualTable(_ sql: String) -> Bool {
        sql.hasPrefix("SELECT k, v FROM '") && sql.hasSuffix("_config'")
    }
}
