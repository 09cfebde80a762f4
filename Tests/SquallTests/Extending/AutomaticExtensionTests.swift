import Squall
import SquallSQLite
import Testing

private let addTwice: Connection.ExtensionEntryPoint = { handle, _, _ in
    sqlite3_create_function_v2(
        handle, "squall_twice", 1, SQLITE_UTF8, nil,
        { context, _, values in
            sqlite3_result_int64(context, 2 * sqlite3_value_int64(values?[0]))
        }, nil, nil, nil)
}

private let neverRegistered: Connection.ExtensionEntryPoint = { _, _, _ in SQLITE_OK }

/// Extensions that are linked into the program. An extension that fails is tested in a process of its own: here it would
/// fail for the connections of the other tests.
struct AutomaticExtensionTests {
    @Test func connectionsThatAreOpenedAfterwardsHaveTheExtension() throws {
        let before = try Connection()
        try Connection.register(automatic: addTwice)
        try Connection.register(automatic: addTwice)
        let connection = try Connection()
        #expect(try connection.query("SELECT squall_twice(21)") == 42)
        #expect(throws: SQLiteError.self) { try before.run("SELECT squall_twice(21)") }
        #expect(Connection.cancel(automatic: addTwice))
        #expect(!Connection.cancel(automatic: addTwice))
        let after = try Connection()
        #expect(throws: SQLiteError.self) { try after.run("SELECT squall_twice(21)") }
        #expect(try connection.query("SELECT squall_twice(1)") == 2)
    }

    @Test func cancellingAnUnknownExtensionReturnsFalse() {
        #expect(!Connection.cancel(automatic: neverRegistered))
    }
}
