import Squall
import SquallStore

/// A store that runs every write in a transaction, prints its statements, and rolls it back.
///
/// A real store sends the statements to another machine. A `SQLRunner` is all that it has to write for the verbs of a connection.
struct DryRun: SQLStore {
    private struct End: Error {}

    let runner: Runner

    init(_ path: String) throws {
        runner = try Runner(path)
    }

    func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await body(StoreConnection(runner))
    }

    func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await runner.execute("BEGIN IMMEDIATE")
        do {
            let value = try await body(StoreConnection(runner))
            try await runner.execute("ROLLBACK")
            return value
        } catch {
            try await runner.execute("ROLLBACK")
            throw error
        }
    }

    func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await write(deadline: deadline) { try await $0.once(key, body) }
    }

    /// Runs all versions in one transaction, although a rebuilt table needs one without foreign keys: there are no rows.
    func migrate(_ schema: Schema) async throws -> Bool {
        try await write(deadline: nil) { connection in
            var (turnsOff, hasRun) = (false, false)
            while true {
                switch try await schema.migrateNextVersion(connection, withForeignKeysOff: turnsOff) {
                case .finished: return hasRun
                case .ran(let version):
                    print("  version \(version) would run")
                    hasRun = true
                case .needsForeignKeys(let isOff): turnsOff = isOff
                }
            }
        }
    }
}

/// Runs statements one after the other on a connection of its own, and prints those that write.
actor Runner: SQLRunner {
    private let connection: Connection

    init(_ path: String) throws {
        connection = try Connection(path)
    }

    func run(_ sql: SQL) throws -> RunResult {
        print("  \(sql.text)")
        try connection.run(sql)
        return RunResult(changes: connection.changes, lastInsertRowID: connection.lastInsertRowID)
    }

    func execute(_ script: SQL) throws {
        print("  \(script.text)")
        try connection.execute(script)
    }

    /// A store on another machine would send the first row alone where no more are read, and large results in parts.
    func query<Value: Sendable>(
        _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
    ) throws -> Value {
        switch rows {
        case .first, .all: try read(connection, sql)
        case .inParts: try connection.savepoint { try read(connection, sql) }
        }
    }
}
