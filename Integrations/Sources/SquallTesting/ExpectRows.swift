import Squall
import Testing

/// Expects that a query returns certain rows, on a connection.
///
///     try expectRows("SELECT id, title, pages FROM books ORDER BY id", on: connection, [
///         [1, "Momo", 304],
///         [2, "Ulysses", nil],
///     ])
///
/// A value is equal only to one of its storage class. INTEGER 1 is not REAL 1.0, and neither is TEXT '1'. Swift's `1`
/// and `true` are INTEGER, `1.0` is REAL, `"1"` is TEXT, bytes (`Data`, or `[1, 2] as [UInt8]`) are BLOB, and `nil` is
/// NULL. Other types are compared as they are stored: a `Date` as its text. REAL values and TEXT are compared exactly.
///
/// If the rows differ, the issue shows both tables, with `>` at the rows that only one of them has. For a typed query,
/// pass its `sql`.
///
/// - Parameters:
///   - sql: The query.
///   - connection: The connection that runs it.
///   - expected: The expected rows.
///   - inAnyOrder: Whether the order of the rows is ignored. Equal rows still count.
///   - sourceLocation: The place at which an issue is recorded.
/// - Throws: ``SQLiteError`` if the query fails.
public func expectRows(
    _ sql: SQL, on connection: Connection, _ expected: [[(any Bindable)?]], inAnyOrder: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let expected = try RowTable(expected)
    try expect(expected, RowTable(sql, on: connection), sql, inAnyOrder, sourceLocation)
}

/// Expects that a query returns certain rows, on a database, which runs it in one `read`.
///
///     try await expectRows("SELECT title FROM books", [["Momo"]])
///
/// See ``expectRows(_:on:_:inAnyOrder:sourceLocation:)-(_,Connection,_,_,_)`` for the comparison of values.
///
/// - Parameters:
///   - sql: The query.
///   - database: The database that runs it; `nil` for ``TestDatabase/current``.
///   - expected: The expected rows.
///   - inAnyOrder: Whether the order of the rows is ignored. Equal rows still count.
///   - sourceLocation: The place at which an issue is recorded.
/// - Throws: ``SQLiteError`` if the query fails; ``TestDatabaseError`` without a database.
public nonisolated(nonsending) func expectRows(
    _ sql: SQL, on database: Database? = nil, _ expected: [[(any Bindable)?]], inAnyOrder: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let expected = try RowTable(expected)
    let found = try await (database ?? TestDatabase.current).read { try RowTable(sql, on: $0) }
    expect(expected, found, sql, inAnyOrder, sourceLocation)
}

private func expect(
    _ expected: RowTable, _ found: RowTable, _ sql: SQL, _ inAnyOrder: Bool, _ sourceLocation: SourceLocation
) {
    let difference =
        inAnyOrder
        ? ListDifference(inAnyOrderFrom: expected.rows, to: found.rows)
        : ListDifference(from: expected.rows, to: found.rows)
    if difference.isEmpty { return }
    let widths = expected.widths(with: found)
    let header = found.header(widths).map { "    " + $0 }
    let lines =
        ["The rows differ: \(SQLText.normalized(sql.debugDescription))", "expected:"]
        + header + difference.markedOld(expected.lines(widths))
        + ["found:"] + header + difference.markedNew(found.lines(widths))
    Issue.record(Comment(rawValue: lines.joined(separator: "\n")), sourceLocation: sourceLocation)
}
