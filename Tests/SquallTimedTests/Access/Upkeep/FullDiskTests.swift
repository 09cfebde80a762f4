import SquallTestSupport
import Testing

/// A database whose disk is full. The limit is one of the process.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    /// SQLite leaves the journal of such a write to the next connection that may write, which a reader may not.
    @Test func readsContinueAfterAWriteInRollbackModeThatDidNotFit() throws {
        let directory = try TemporaryDirectory()
        let (output, code) = try TestProcess(["journal", directory.file("a.db")]).end()
        #expect(code == 0)
        #expect(output == "10\n1\n")
    }
}
