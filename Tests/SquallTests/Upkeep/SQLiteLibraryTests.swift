import Squall
import Testing

struct SQLiteLibraryTests {
    /// In a process of its own, because the setting is that of the whole process.
    @Test func memoryIsNotCountedWithoutStatistics() throws {
        let (output, code) = try TestProcess(["configure"]).end()
        #expect(output == "0 true\n21 SQLite cannot be configured: it has been used already\n100000\n")
        #expect(code == 0)
    }

    /// In a process of its own, as above.
    @Test func theErrorLogIsObserved() throws {
        let (output, code) = try TestProcess(["error-log"]).end()
        #expect(output == "SQL logic error: no such table: nowhere in \"SELECT * FROM nowhere WHERE a = ?\"\n")
        #expect(code == 0)
    }

    @Test func configuringAfterAConnectionWasOpenedThrows() throws {
        let connection = try Connection()
        let error = try sqliteError { try SQLiteLibrary.configure(.withoutMemoryStatistics) }
        #expect(error.kind == .libraryInUse)
        #expect(error.resultCode == .misuse)
        #expect(error.hint == "call `SQLiteLibrary.configure` before the first connection is opened")
        #expect(try connection.query("SELECT 1") == 1)
    }

    @Test func noSettingChangesNothing() throws {
        try SQLiteLibrary.configure()
    }
}
