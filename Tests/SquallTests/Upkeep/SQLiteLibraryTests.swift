import Squall
import SquallTestSupport
import Testing

struct SQLiteLibraryTests {
    @Test func configuringAfterAConnectionWasOpenedThrows() throws {
        let connection = try Connection()
        let error = try sqliteError { try SQLiteLibrary.configure(.withoutMemoryStatistics) }
        #expect(error.kind == .problem(UpkeepProblem.libraryInUse))
        #expect(error.resultCode == .misuse)
        #expect(error.hint == "call `SQLiteLibrary.configure` before the first connection is opened")
        #expect(try connection.query("SELECT 1") == 1)
    }

    @Test func noSettingChangesNothing() throws {
        try SQLiteLibrary.configure()
    }
}
