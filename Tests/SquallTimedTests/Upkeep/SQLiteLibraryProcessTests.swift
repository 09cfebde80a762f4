import Testing

/// Settings of SQLite that are those of a whole process.
@Suite(.timeLimit(.minutes(10)))
struct SQLiteLibraryProcessTests {
    @Test func memoryIsNotCountedWithoutStatistics() throws {
        let (output, code) = try TestProcess(["configure"]).end()
        #expect(output == "0 true\n21 SQLite cannot be configured: it has been used already\n100000\n")
        #expect(code == 0)
    }

    @Test func theErrorLogIsObserved() throws {
        let (output, code) = try TestProcess(["error-log"]).end()
        #expect(output == "SQL logic error: no such table: nowhere in \"SELECT * FROM nowhere WHERE a = ?\"\n")
        #expect(code == 0)
    }
}
