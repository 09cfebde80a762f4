import Squall

/// Runs statements in a closure of a ``SQLStore``, one after the other, on one connection and in one transaction.
///
///     try await store.write { connection in
///         let id = try await connection.insert(User(id: nil, name: "Ada", age: 36))
///         try await connection.run("UPDATE teams SET size = size + 1 WHERE id = \(team)")
///     }
///
/// It has the verbs of a `Connection` with the same names and the same conversion of values. It must not leave the closure:
/// afterwards every verb throws.
public struct StoreConnection: Sendable {
    @usableFromInline let runner: any SQLRunner

    /// Makes a connection of a store.
    public init(_ runner: any SQLRunner) {
        self.runner = runner
    }

    /// Runs one statement. Rows that it returns are dropped.
    ///
    ///     try await connection.run("DELETE FROM cars WHERE price > \(limit)")
    ///
    /// - Returns: The number of changed rows, and the last rowid.
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    public nonisolated(nonsending) func run<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) async throws -> RunResult {
        try await runner.run(sql.giving(repeat each parameters))
    }

    /// Runs one statement with a list of values: in order, or by the names of the parameters.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    @_documentation(visibility: internal)
    @discardableResult
    public nonisolated(nonsending) func run(_ sql: SQL, _ list: some ParameterList) async throws -> RunResult {
        try await runner.run(sql.giving(list.listedValues))
    }

    /// Runs a script of any number of statements.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func execute(_ script: SQL) async throws {
        try await runner.execute(script)
    }
}
