import Foundation
import IntegrationSupport
import Squall
import SquallTesting
import TestSupport
import Testing

struct ExpectRowsTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try Library.history.migrate(connection)
        try Library.fill(connection)
    }

    /// Runs an expectation that must fail, and returns the text of its issue.
    private func failure(_ body: () throws -> Void) throws -> String {
        let reports = Locked<[String]>([])
        try withKnownIssue(
            isIntermittent: true, body,
            matching: { issue in
                reports.append(issue.text)
                #expect(issue.sourceLocation?.fileID == #fileID)
                return true
            })
        try #require(reports.value.count == 1)
        return reports.value[0]
    }

    @Test func equalRowsPass() throws {
        try expectRows("SELECT * FROM authors ORDER BY id", on: connection, [[1, "Ende"], [2, "Joyce"]])
        try expectRows("SELECT * FROM authors WHERE id > \(5)", on: connection, [])
        try expectRows(
            "SELECT NULL, 1, 1.5, 'a', x'0102', x'03', TRUE, x''", on: connection,
            [[nil, 1, 1.5, "a", [1, 2] as [UInt8], Data([3]), true, Data()]])
        try expectRows(
            Book.select { $0.title }.order { $0.id.descending }.sql, on: connection,
            [
                ["Dubliners"], ["Ulysses"], ["Momo"],
            ])
    }

    @Test(arguments: ["1.0", "'1'", "x'31'", "NULL", "2"])
    func aValueOfAnotherStorageClassDiffers(literal: String) throws {
        let text = try failure { try expectRows("SELECT \(raw: literal)", on: connection, [[1]]) }
        #expect(text.hasSuffix("  > \(literal.uppercased())"))
    }

    @Test func bothTablesAreShown() throws {
        let text = try failure {
            try expectRows(
                "SELECT * FROM authors WHERE id < \(9)", on: connection, [[1, "Ende"], [2, "Kafka"], [3, nil]])
        }
        #expect(
            text == """
                The rows differ: SELECT * FROM authors WHERE id < 9
                expected:
                    id | name
                    ---+--------
                    1  | 'Ende'
                  > 2  | 'Kafka'
                  > 3  | NULL
                found:
                    id | name
                    ---+--------
                    1  | 'Ende'
                  > 2  | 'Joyce'
                """)
    }

    @Test func aMissingRowDoesNotMarkTheOthers() throws {
        let text = try failure {
            try expectRows("SELECT title FROM books ORDER BY id", on: connection, [["Ulysses"], ["Dubliners"]])
        }
        #expect(
            text.hasSuffix(
                """
                found:
                    title
                    -----------
                  > 'Momo'
                    'Ulysses'
                    'Dubliners'
                """))
    }

    @Test func withoutRowsThereIsNone() throws {
        let text = try failure { try expectRows("SELECT title FROM books", on: connection, []) }
        #expect(text.contains("expected:\n    title\n    -----------\n    (none)\nfound:"))
    }

    @Test func anotherNumberOfColumnsDiffers() throws {
        let text = try failure { try expectRows("SELECT 1 AS a, 2 AS b", on: connection, [[1, 2, 3]]) }
        #expect(text.contains("  > 1 | 2 | 3\nfound:\n    a | b\n    --+--\n  > 1 | 2"))
    }

    @Test func aValueIsOneLine() throws {
        let text = try failure { try expectRows("SELECT \("a\nb\t'c'") AS text", on: connection, [["x"]]) }
        #expect(text.hasSuffix(#"  > 'a\nb\t''c'''"#))
    }

    @Test func theOrderCountsUnlessIgnored() throws {
        let sql: SQL = "SELECT column1 FROM (VALUES(1), (2), (2))"
        try expectRows(sql, on: connection, [[2], [1], [2]], inAnyOrder: true)
        _ = try failure { try expectRows(sql, on: connection, [[2], [1], [2]]) }
        let text = try failure { try expectRows(sql, on: connection, [[2], [1], [1]], inAnyOrder: true) }
        #expect(text.contains("    2\n    1\n  > 1\nfound:"))
        #expect(text.hasSuffix("    1\n    2\n  > 2"))
    }

    @Test func theIssueIsAtTheCall() throws {
        let line = #line + 2
        try withKnownIssue {
            try expectRows("SELECT 1", on: connection, [])
        } matching: {
            $0.sourceLocation?.line == line
        }
    }

    @Test func aFailingQueryThrows() {
        #expect(throws: SQLiteError.self) { try expectRows("SELECT nothing", on: connection, []) }
    }

    @Test(.database(migratedBy: Library.history, seed: Library.fill)) func aDatabaseIsRead() async throws {
        try await expectRows("SELECT id FROM authors ORDER BY id", [[1], [2]])
        let other = try Database(":memory:")
        try await expectRows("SELECT \("a")", on: other, [["a"]])
        let reports = Locked<[String]>([])
        try await withKnownIssue {
            try await expectRows("SELECT id FROM authors", on: TestDatabase.current, [])
        } matching: {
            reports.append($0.text)
            return true
        }
        #expect(reports.value.first?.hasPrefix("The rows differ: SELECT id FROM authors") == true)
        await #expect(throws: SQLiteError.self) {
            try await expectRows("DELETE FROM authors RETURNING id", [[1], [2]])
        }
    }
}
