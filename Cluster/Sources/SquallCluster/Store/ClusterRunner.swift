import SquallStore
import Squall

/// Runs the statements of a connection in a transaction on the leader.
struct ClusterRunner: SQLRunner {
    let transaction: ClusterTransaction
    let receivedRows: ReceivedRows

    nonisolated(nonsending) func run(_ sql: SQL) async throws -> RunResult {
        let (text, values) = try sql.portable(parameterLimit: Request.maximumOfShortParameters)
        if StatementFacts.isReading(text) { return try await runQuery(text, values) }
        let result = try await asLocal { try await transaction.execute(sql: text, values: values) }
        return RunResult(changes: result.changes, lastInsertRowID: result.lastInsertedRowID)
    }

    /// Runs a statement that returns rows, which are dropped. A node refuses it as a statement without rows.
    private nonisolated(nonsending) func runQuery(_ text: String, _ values: [BindingValue]) async throws -> RunResult {
        try await asLocal {
            let rows = try await transaction.rows(sql: text, values: values)
            defer { rows.close() }
            while !rows.isAtEnd { _ = try await rows.fields(.some) }
        }
        return try await query("SELECT changes(), last_insert_rowid()", rows: .first) { connection, sql in
            let result = try connection.query(sql) {
                RunResult(changes: try $0.get(0), lastInsertRowID: try $0.get(1))
            }
            return result ?? RunResult(changes: 0, lastInsertRowID: 0)
        }
    }

    nonisolated(nonsending) func execute(_ script: SQL) async throws {
        let text = try script.portableScript()
        _ = try await asLocal { try await transaction.executeScript(text) }
    }

    nonisolated(nonsending) func query<Value: Sendable>(
        _ sql: SQL, rows demand: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
    ) async throws -> Value {
        let (text, values) = try sql.portable(parameterLimit: Request.maximumOfShortParameters)
        return try await asLocal {
            let rows = try await transaction.rows(sql: text, values: values)
            defer { rows.close() }
            while true {
                let fields = try await rows.fields(NodeRows.Demand(demand))
                let value = try receivedRows.read(fields, columns: rows.columns, read)
                if demand != .inParts || rows.isAtEnd { return value }
            }
        }
    }

    /// Throws an error of SQLite as a local database does.
    private nonisolated(nonsending) func asLocal<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch ClusterError.refused(let failure) {
            throw failure.sqliteError ?? ClusterError.refused(failure)
        }
    }
}

extension NodeRows.Demand {
    fileprivate init(_ rows: QueriedRows) {
        self =
            switch rows {
            case .first: .first
            case .all: .all
            case .inParts: .some
            }
    }
}
