import Squall
import SquallStore

/// A store that runs every write in a transaction, prints its statements, and rolls it back.
///
/// A real store sends the statements to another machine. A `SQLRunner` is all that it has to write for the verbs of a connection.
struct DryRun: SQLStore {
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

    /// Runs all versions in one transaction. A store with rows begins another one where a version needs foreign keys off.
    func migrate(_ schema: Schema) async throws -> Bool {
        try await write(deadline: nil) { connection in
            var (turnsOff, step) = (false, MigrationStep.finished)
            var hasRun = false
            repeat {
                step = try await schema.migrateNextVersion(connection, withForeignKeysOff: turnsOff)
                switch step {
                case .finished: break
                case .ran(let version):
                    print("  version \(version) would run")
                    hasRun = true
                case .needsForeignKeys(let isOff): turnsOff = isOff
                }
            } while step != .finished
            return hasRun
        }
    }
}

/// Runs statements one after the other on the connection of a dry run, and prints those that write.
actor Runner: SQLRunner {
    private let connection: Connection

    init(_ path: String) throws {
        connection = try Connection(path)
    }

    func run(_ sql: SQL) throws -> RunResult {
        show(sql)
        try connection.run(sql)
        return RunResult(changes: connection.changes, lastInsertRowID: connection.lastInsertRowID)
    }

    func execute(_ script: SQL) throws {
        show(script)
        try connection.execute(script)
    }

    /// Prints a statement, but not those by which Squall reads the schema and writes the history of its versions.
    private func show(_ sql: SQL, _ note: String = "") {
        let isOfSquall = sql.text.contains("squall_versions") || sql.text.contains("sqlite_master")
        if !isOfSquall { print("  \(note)\(sql.text)") }
    }

    /// A store on another machine sends only the first row where no more are read, and large results in parts.
    func query<Value: Sendable>(
        _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
    ) throws -> Value {
        switch rows {
        case .first, .all: break
        case .inParts: show(sql, "in parts: ")
        }
        return try read(connection, sql)
    }
}
