import NIOConcurrencyHelpers
import Squall

/// The statements of a closure on a connection to the leader, all in one transaction.
///
/// It can be used until the closure ends. Rows that are still open are then closed.
package final class ClusterTransaction: Sendable {
    enum Mode: Hashable, Sendable {
        /// The closure reads one snapshot.
        case reading
        /// The closure reads, and each of its statements has a snapshot of its own.
        case readingWithoutTransaction
        case writing
    }

    private enum Phase {
        /// BEGIN is sent with the first statement.
        case created
        case open
        /// The transaction cannot be committed.
        case failed(any Error)
        case ended
    }

    let connection: NodeConnection
    let deadline: CallDeadline
    private let mode: Mode
    private let allowsMigrationPragmas: Bool
    private let use = ConnectionUse()
    private let phase: NIOLockedValueBox<Phase>

    /// Makes a transaction. A writing one has been begun on the connection.
    init(
        on connection: NodeConnection, _ mode: Mode, until deadline: CallDeadline, allowsMigrationPragmas: Bool = false
    ) {
        self.connection = connection
        self.deadline = deadline
        self.mode = mode
        self.allowsMigrationPragmas = allowsMigrationPragmas
        phase = NIOLockedValueBox(mode == .reading ? .created : .open)
    }

    /// Runs a statement that reads.
    ///
    /// The transaction runs no other statement until the rows are read to their end or closed.
    package nonisolated(nonsending) func rows(sql: String, values: [BindingValue] = []) async throws -> NodeRows {
        try check(sql)
        use.beginRows()
        return try await noting {
            let rows = try await connection.query(sql, values, deadline: deadline.rest)
            rows.belong(to: use)
            return rows
        }
    }

    /// Runs a statement without rows. A closure that reads can run none that writes.
    @discardableResult
    package nonisolated(nonsending) func execute(
        sql: String, values: [BindingValue] = []
    ) async throws -> ExecutionResult {
        try check(sql)
        return try await noting { try await connection.execute(sql, values, deadline: deadline.rest) }
    }

    /// Runs any number of statements without rows. A closure that reads can run none.
    @discardableResult
    package nonisolated(nonsending) func executeScript(_ sql: String) async throws -> ExecutionResult {
        guard mode == .writing else { throw ClusterError.unsupportedStatement(.writesInRead, sql: sql) }
        try StatementFacts.check(closureScript: sql, inMigration: allowsMigrationPragmas)
        try start()
        return try await noting { try await connection.executeScript(sql, deadline: deadline.rest) }
    }
}

extension ClusterTransaction {
    /// The error after which the transaction cannot be committed.
    var failure: (any Error)? {
        phase.withLockedValue { if case .failed(let error) = $0 { error } else { nil } }
    }

    /// Runs the closure of the transaction, once.
    ///
    /// - Throws: The error of the closure, unless the transaction failed by one after which it is attempted again.
    nonisolated(nonsending) func run<Value>(
        _ body: nonisolated(nonsending) (ClusterTransaction) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(self)
            if let failure { throw failure }
            return value
        } catch {
            if let failure = failure as? ClusterError, failure.isRetriable { throw failure }
            throw error
        }
    }

    /// Ends the use of the connection.
    ///
    /// - Returns: Whether BEGIN was sent.
    @discardableResult
    func end() -> Bool {
        let last = phase.withLockedValue { phase in
            defer { phase = .ended }
            return phase
        }
        if case .ended = last { return false }
        if use.end() { connection.abandonRows() }
        if case .created = last { return false }
        return mode != .readingWithoutTransaction
    }

    private func check(_ sql: String) throws {
        try StatementFacts.check(inClosure: sql, isReading: mode != .writing, inMigration: allowsMigrationPragmas)
        try start()
    }

    /// Begins the transaction if that has not been done, without waiting for the reply. If BEGIN fails, so does the
    /// statement after it.
    private func start() throws {
        let begins = try phase.withLockedValue { phase in
            switch phase {
            case .created:
                phase = .open
                return true
            case .open: return false
            case .failed(let error): throw error
            case .ended: throw ClusterError.transactionEnded
            }
        }
        try deadline.check()
        if begins { connection.post("BEGIN", deadline: deadline.rest) }
    }

    /// Runs a request, and notes an error that ended the transaction.
    private nonisolated(nonsending) func noting<Value>(
        _ request: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do {
            return try await request()
        } catch let error as ClusterError {
            if await hasEnded(after: error) { fail(error) }
            throw error
        } catch {
            // A request that is cancelled takes the connection with it.
            fail(error)
            throw error
        }
    }

    private func fail(_ error: any Error) {
        phase.withLockedValue { phase in
            if case .open = phase { phase = .failed(error) }
        }
    }

    private nonisolated(nonsending) func hasEnded(after error: ClusterError) async -> Bool {
        if error.endsConnection || error.isRetriable { return true }
        guard mode == .writing, case .refused = error else { return false }
        return await !isInTransaction()
    }

    /// Returns whether a transaction is open, after a statement failed.
    ///
    /// SQLite rolls back at some errors, for instance of INSERT OR ROLLBACK. Later statements of the closure would then
    /// be committed one by one. dqlite does not report it, but BEGIN fails inside a transaction only.
    private nonisolated(nonsending) func isInTransaction() async -> Bool {
        do {
            try await connection.execute("BEGIN", deadline: deadline.rest)
            return false
        } catch ClusterError.refused(let failure) {
            return failure.kind == .sqlite(.error)
        } catch {
            return false
        }
    }
}
