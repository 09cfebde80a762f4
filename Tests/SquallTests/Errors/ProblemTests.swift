import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Problems: the errors of what is built on connections, of this library and of others.
struct ProblemTests {
    private enum QuotaProblem: SQLiteProblem {
        case exceeded(limit: Int)
        case unknown

        var code: ResultCode { self == .unknown ? .error : .full }
        var message: String { "the quota is used up" }
        var hint: String? { self == .unknown ? nil : "delete something" }

        func message(of subject: SQLiteError.Subject) -> String { "\(message): \(subject.table ?? "")" }
    }

    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, body); INSERT INTO files VALUES(1, x'0102')")
    }

    /// Returns the branch of a `catch` that an error takes.
    private func branch(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch let error as SQLiteError where error.problem(BlobProblem.self) == .unknownRow {
            return "unknown row"
        } catch let error as SQLiteError {
            if case .outOfRange(_, _, let size)? = error.problem(BlobProblem.self) { return "\(size) bytes" }
            if case .exceeded(let limit)? = error.problem(QuotaProblem.self) { return "limit \(limit)" }
            return "another one"
        } catch {
            return "another type"
        }
    }

    @Test func aCatchTellsProblemsApart() {
        #expect(branch { try connection.withBlob(in: "files", column: "body", row: 2) { _ in } } == "unknown row")
        #expect(
            branch {
                var bytes: [UInt8] = [0, 0, 0]
                try connection.withBlob(in: "files", column: "body", row: 1) { try $0.read(into: &bytes, at: 0) }
            } == "2 bytes")
        #expect(branch { throw SQLiteError(QuotaProblem.exceeded(limit: 3)) } == "limit 3")
        #expect(branch { throw SQLiteError(QuotaProblem.unknown) } == "another one")
        #expect(branch { try connection.run("SELECT nothing") } == "another one")
    }

    @Test func anErrorHasTheSubjectOfItsProblem() throws {
        let error = try sqliteError {
            try connection.withBlob(in: "files", column: "body", row: 2, database: "main") { _ in }
        }
        #expect(error.subject == .value(in: "files", column: "body", row: 2))
        #expect(error.subject?.table == "files" && error.subject?.row == 2 && error.subject?.path == nil)
        #expect(error.message == "no row of files has the rowid 2" && error.resultCode == .error)
        let closed = try Connection()
        closed.close()
        let other = try sqliteError { try closed.run("SELECT 1") }
        #expect(other.subject == nil && other.problem(BlobProblem.self) == nil)
    }

    @Test func anErrorHasTheCodeTheMessageAndTheHintOfItsProblem() {
        let error = SQLiteError(QuotaProblem.exceeded(limit: 3), of: .table("files"), sql: "SELECT 1")
        #expect(error.resultCode == .full && error.sql == "SELECT 1")
        #expect(error.message == "the quota is used up: files" && error.hint == "delete something")
        #expect(SQLiteError(QuotaProblem.exceeded(limit: 3)).message == "the quota is used up")
        #expect(SQLiteError(QuotaProblem.exceeded(limit: 3), hint: "wait").hint == "wait")
        #expect(SQLiteError(QuotaProblem.unknown).hint == nil)
        #expect("\(error.kind)" == "problem(QuotaProblem.exceeded(limit: 3))")
    }

    @Test func kindsAreEqualByTheirProblemsAndSubjects() {
        let kind = SQLiteError.Kind.problem(QuotaProblem.exceeded(limit: 3), of: .table("files"))
        let others: Set<SQLiteError.Kind> = [
            .problem(QuotaProblem.exceeded(limit: 3)), .problem(QuotaProblem.exceeded(limit: 4), of: .table("files")),
            .problem(QuotaProblem.exceeded(limit: 3), of: .file("files")),
            .problem(UndoProblem.limit(3), of: .table("files")),
            .problem(QuotaProblem.unknown), .sqlite,
        ]
        #expect(others.count == 6 && !others.contains(kind))
        #expect(others.union([kind]).contains(.problem(QuotaProblem.exceeded(limit: 3), of: .table("files"))))
    }

    @Test func aMessageWithoutASubjectIsOneToo() {
        #expect(TableProblem.noColumns.message == "the table \"?\" is declared without columns")
        #expect(BlobProblem.null.message == "? of ? is NULL in row ?: only BLOB and TEXT can be opened")
    }

    /// `catch BlobProblem.unknownRow` does not compile.
    @Test func aProblemIsNotAnError() {
        let problems: [any SQLiteProblem] = [BlobProblem.unknownRow, TableProblem.noColumns, QuotaProblem.unknown]
        for problem in problems { #expect((problem as Any) as? any Error == nil) }
    }
}
