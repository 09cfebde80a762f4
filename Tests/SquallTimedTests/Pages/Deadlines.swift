// swift-format-ignore-file
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks about progress and deadlines of the page "Extending".
@Suite(.timeLimit(.minutes(10)))
struct DeadlineSnippets {
    @Test func progress() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE notes(a); INSERT INTO notes VALUES(1), (2), (3), (4)")
        var isCancelled = false
        try connection.progressHandler(every: 10_000) { isCancelled ? .interrupt : .proceed }
        try connection.progressHandler(nil)

        let count: Int = try connection.withDeadline(.seconds(10)) {
            try connection.query("SELECT count(*) FROM notes")
        }
        #expect(count == 4)
        isCancelled = true
        try connection.progressHandler(every: 1000) { isCancelled ? .interrupt : .proceed }
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        #expect(try sqliteError { try connection.run(endless) }.resultCode == .interrupt)
        try connection.progressHandler(nil)
        let error = try sqliteError { try connection.withDeadline(.milliseconds(1)) { try connection.run(endless) } }
        #expect(error.kind == .interrupted(.deadline))
    }
}
