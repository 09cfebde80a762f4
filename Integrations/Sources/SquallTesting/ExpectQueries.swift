import Squall
import Testing

/// Expects that a closure runs a number of statements on a connection, and returns the closure's result.
///
///     let shelves = try expectQueries(2, on: connection) {
///         try Library.shelves(on: connection)
///     }
///
/// BEGIN, COMMIT, END, ROLLBACK, SAVEPOINT, RELEASE and PRAGMA statements are not counted, nor are statements that
/// triggers, functions and virtual tables run. If the number differs, the issue lists the statements with their values.
/// It also tells how often the same SQL ran: many times with different values are an N + 1.
///
/// - Parameters:
///   - count: The expected number of statements.
///   - connection: The connection whose statements are counted.
///   - sourceLocation: The place at which an issue is recorded.
///   - body: The closure.
/// - Throws: The error of the closure; the statements are then not compared.
@discardableResult
public func expectQueries<Result>(
    _ count: Int, on connection: Connection, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) rethrows -> Result {
    let (result, statements) = try StatementRecorder().record(on: connection, body)
    expect(count, statements, sourceLocation)
    return result
}

/// Expects that a closure runs a number of statements on all connections of a database, and returns the closure's
/// result.
///
///     let shelves = try await expectQueries(2) {
///         try await Library.shelves(in: database)
///     }
///
/// See ``expectQueries(_:on:sourceLocation:_:)-(_,Connection,_,_)`` for what is counted. Statements of other tasks that
/// use the database at the same time are counted as well.
///
/// - Parameters:
///   - count: The expected number of statements.
///   - database: The database whose statements are counted; `nil` for ``TestDatabase/current``.
///   - sourceLocation: The place at which an issue is recorded.
///   - body: The closure.
/// - Throws: The error of the closure; the statements are then not compared. ``TestDatabaseError`` without a database.
@discardableResult
public nonisolated(nonsending) func expectQueries<Result>(
    _ count: Int, on database: Database? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let database = try database ?? TestDatabase.current
    let (result, statements) = try await StatementRecorder().record(on: database, body)
    expect(count, statements, sourceLocation)
    return result
}

private func expect(_ count: Int, _ statements: [RecordedStatement], _ sourceLocation: SourceLocation) {
    if statements.count == count { return }
    var lines = ["\(count) \(count == 1 ? "query" : "queries") expected, but \(statements.count) ran:"]
    for (index, statement) in statements.enumerated() {
        lines.append("\(index + 1). \(SQLText.normalized(statement.expandedSQL))")
    }
    lines += repetitions(in: statements)
    Issue.record(Comment(rawValue: lines.joined(separator: "\n")), sourceLocation: sourceLocation)
}

/// Returns a line for each SQL that ran more than once.
private func repetitions(in statements: [RecordedStatement]) -> [String] {
    var seen: Set<String> = []
    return statements.map(\.sql).filter { seen.insert($0).inserted }.compactMap { sql in
        let same = statements.filter { $0.sql == sql }
        if same.count == 1 { return nil }
        let different = Set(same.map(\.expandedSQL)).count
        let values =
            switch different {
            case 1: "with the same values"
            case same.count: "with different values (N + 1)"
            default: "with \(different) different values"
            }
        return "Ran \(same.count) times \(values): \(SQLText.normalized(sql))"
    }
}
