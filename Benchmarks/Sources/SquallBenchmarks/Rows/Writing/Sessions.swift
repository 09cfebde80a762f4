import SquallChanges
import Foundation
import GRDB
import Squall
import SquallSQLite

// Recorded changes. GRDB has none: its side uses its statements, and the session functions of C on its handle.

private let create = """
    CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(scaled(20_000)))
    INSERT INTO cars SELECT i, 'car ' || i, i * 7 FROM n
    """
private let changes = """
    UPDATE cars SET price = price + 1 WHERE id <= \(scaled(10_000));
    DELETE FROM cars WHERE id > \(scaled(15_000));
    INSERT INTO cars SELECT id + \(scaled(20_000)), name, price FROM cars WHERE id <= \(scaled(5_000))
    """

/// A changeset that C has made.
private struct CChangeset: ~Copyable {
    let bytes: UnsafeMutableRawPointer?
    let count: Int32

    deinit { sqlite3_free(bytes) }
}

private func record(_ handle: OpaquePointer?, _ body: () throws -> Void) throws -> CChangeset {
    var session: OpaquePointer?
    guard sqlite3session_create(handle, "main", &session) == SQLITE_OK else { throw Failure("no session") }
    defer { sqlite3session_delete(session) }
    sqlite3session_attach(session, "cars")
    try body()
    var (bytes, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
    guard sqlite3session_changeset(session, &count, &bytes) == SQLITE_OK else { throw Failure("no changeset") }
    return CChangeset(bytes: bytes, count: count)
}

private func invert(_ changeset: borrowing CChangeset) throws -> CChangeset {
    var (bytes, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
    guard sqlite3changeset_invert(changeset.count, changeset.bytes, &count, &bytes) == SQLITE_OK else {
        throw Failure("not inverted")
    }
    return CChangeset(bytes: bytes, count: count)
}

private func apply(_ changeset: borrowing CChangeset, to handle: OpaquePointer?) throws {
    let code = sqlite3changeset_apply_v2(
        handle, changeset.count, changeset.bytes, nil, { _, _, _ in SQLITE_CHANGESET_ABORT }, nil, nil, nil, 0)
    guard code == SQLITE_OK else { throw Failure("not applied") }
}

extension Benchmark {
    static let sessions = [
        Benchmark(name: "recording", toC: 1.05) { fixtures in
            Writing(row: "recording", create: create, check: "SELECT * FROM cars").cells(
                fixtures,
                c: { database in _ = try record(database.handle) { try database.execute(changes) } },
                squall: { connection in
                    _ = try connection.recordChanges(in: "cars") { try $0.execute("\(raw: changes)") }
                },
                grdb: { queue in
                    try queue.writeWithoutTransaction { database in
                        _ = try record(database.sqliteConnection) { try database.execute(sql: changes) }
                    }
                }
            )
        },
        // 20,000 changes are recorded, inverted and applied.
        Benchmark(name: "changeset-inverted", toC: 1.10) { fixtures in
            Writing(row: "changeset-inverted", create: create, check: "SELECT * FROM cars").cells(
                fixtures,
                c: { database in
                    let changeset = try record(database.handle) { try database.execute(changes) }
                    try apply(invert(changeset), to: database.handle)
                },
                squall: { connection in
                    let changeset = try connection.recordChanges(in: "cars") { try $0.execute("\(raw: changes)") }
                    try connection.apply(changeset.inverted())
                },
                grdb: { queue in
                    try queue.writeWithoutTransaction { database in
                        let changeset = try record(database.sqliteConnection) { try database.execute(sql: changes) }
                        try apply(invert(changeset), to: database.sqliteConnection)
                    }
                }
            )
        },
    ]
}
