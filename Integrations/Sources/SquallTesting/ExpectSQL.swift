import Squall
import Testing

/// Expects that a typed query is a certain SQL.
///
///     expectSQL(
///         Book.where { $0.pages > 500 }.select { $0.title },
///         """
///         SELECT "books"."title" FROM "books"
///         WHERE "books"."pages" > 500
///         """)
///
/// The values are in place, as literals. Outside quotes and comments, any white space is equal to one space. White
/// space at both ends and a last semicolon are ignored. All else counts: letter case, quotes, and where there is no
/// space at all. Nothing is run.
///
/// - Parameters:
///   - query: The query.
///   - expected: The expected SQL.
///   - sourceLocation: The place at which an issue is recorded.
public func expectSQL(
    _ query: some Selection, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    expectSQL(query.sql, expected, sourceLocation: sourceLocation)
}

/// Expects that a `SQL` value is a certain SQL, with its values in place. See
/// ``expectSQL(_:_:sourceLocation:)-(Selection,_,_)`` for the comparison.
///
///     expectSQL(condition.sql, "\"books\".\"pages\" > 500")
///
/// - Parameters:
///   - sql: The SQL, for instance the `sql` of a condition.
///   - expected: The expected SQL.
///   - sourceLocation: The place at which an issue is recorded.
public func expectSQL(_ sql: SQL, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let (found, expected) = (SQLText.normalized(sql.debugDescription), SQLText.normalized(expected))
    if found == expected { return }
    Issue.record("The SQL differs.\nexpected: \(expected)\nfound:    \(found)", sourceLocation: sourceLocation)
}

/// Expects that a closure runs certain statements on a connection, in this order, and returns the closure's result.
///
///     try expectSQL(["DELETE FROM books WHERE id = 1"], on: connection) {
///         try Library.discard(1, on: connection)
///     }
///
/// The statements are compared with their values in place, and white space as in
/// ``expectSQL(_:_:sourceLocation:)-(Selection,_,_)``. PRAGMA statements are left out, and statements that triggers,
/// functions and virtual tables run. The order is that in which the statements begin.
///
/// - Parameters:
///   - expected: The expected SQL.
///   - connection: The connection whose statements are compared.
///   - includesTransactions: Whether BEGIN, COMMIT, END, ROLLBACK, SAVEPOINT and RELEASE are compared as well.
///   - sourceLocation: The place at which an issue is recorded.
///   - body: The closure.
/// - Throws: The error of the closure; the statements are then not compared.
@discardableResult
public func expectSQL<Result>(
    _ expected: [String], on connection: Connection, includingTransactions includesTransactions: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) rethrows -> Result {
    let recorder = StatementRecorder(includingTransactions: includesTransactions)
    let (result, statements) = try recorder.record(on: connection, body)
    expect(expected, statements, sourceLocation)
    return result
}

/// Expects that a closure runs certain statements on all connections of a database, in this order, and returns the
/// closure's result. See ``expectSQL(_:on:includingTransactions:sourceLocation:_:)-(_,Connection,_,_,_)`` for the
/// comparison.
///
///     try await expectSQL(["DELETE FROM books WHERE id = 1"]) {
///         try await Library.discard(1, in: database)
///     }
///
/// - Parameters:
///   - expected: The expected SQL.
///   - database: The database whose statements are compared, also those of other tasks; `nil` for
///     ``TestDatabase/current``.
///   - includesTransactions: Whether BEGIN, COMMIT, END, ROLLBACK, SAVEPOINT and RELEASE are compared as well.
///   - sourceLocation: The place at which an issue is recorded.
///   - body: The closure.
/// - Throws: The error of the closure; the statements are then not compared. ``TestDatabaseError`` without a database.
@discardableResult
public nonisolated(nonsending) func expectSQL<Result>(
    _ expected: [String], on database: Database? = nil, includingTransactions includesTransactions: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let database = try database ?? TestDatabase.current
    let recorder = StatementRecorder(includingTransactions: includesTransactions)
    let (result, statements) = try await recorder.record(on: database, body)
    expect(expected, statements, sourceLocation)
    return result
}

private func expect(_ expected: [String], _ statements: [RecordedStatement], _ sourceLocation: SourceLocation) {
    let expected = expected.map(SQLText.normalized)
    let found = statements.map { SQLText.normalized($0.expandedSQL) }
    if found == expected { return }
    let difference = ListDifference(from: expected, to: found)
    let lines =
        ["The statements differ.", "expected:"] + difference.markedOld(expected)
        + ["found:"] + difference.markedNew(found)
    Issue.record(Comment(rawValue: lines.joined(separator: "\n")), sourceLocation: sourceLocation)
}
