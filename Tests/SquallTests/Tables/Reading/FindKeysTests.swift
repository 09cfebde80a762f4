import Foundation
import Squall
import SquallTestSupport
import Testing

struct FindKeysTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.insert(
            contentsOf: (1...50).map { User(id: $0, name: "User \($0)", email: "\($0)@x.org", age: Int($0)) })
    }

    @Test func recordsComeInTheOrderOfTheirKeys() throws {
        let found = try connection.find(User.self, keys: [7, 3, 99, 7, -1, 50])
        #expect(found.map(\.id) == [7, 3, 7, 50])
        #expect(try connection.find(User.self, keys: []).isEmpty)
        #expect(try connection.table(User.table).find(keys: Set([5] as [Int64])).map(\.name) == ["User 5"])
    }

    @Test func itIsOneStatementThatSearchesTheKey() throws {
        var texts: [String] = []
        let token = connection.traceStatements { texts.append("\($0)") }
        _ = try connection.find(User.self, keys: [1, 2])
        token.cancel()
        let text = try #require(texts.first { $0.contains("squall_keys") })
        #expect(texts.filter { $0.contains("squall_keys") }.count <= 2)
        #expect(
            text.contains(
                "CROSS JOIN \"users\" ON \"users\".\"id\" = \"squall_keys\".value ORDER BY \"squall_keys\".rowid"))
        let plan: [String] = try connection.query(
            """
            EXPLAIN QUERY PLAN SELECT * FROM \(array: [1, 2]) AS k CROSS JOIN users ON users.id = k.value ORDER BY k.rowid
            """
        ) { $0[3] }
        #expect(plan == ["SCAN k VIRTUAL TABLE INDEX 0:", "SEARCH users USING INTEGER PRIMARY KEY (rowid=?)"])
    }

    private struct Page: TableRecord, Equatable {
        let code: String
        let text: String

        static let table = Table("pages", Page.init) {
            Column("code", \Page.code, .primaryKey, .collate("NOCASE"))
            Column("text", \Page.text)
        }
    }

    @Test func keysCompareAsTheirColumnDoes() throws {
        try connection.create(Page.table)
        try connection.insert(contentsOf: [Page(code: "a", text: "1"), Page(code: "b", text: "2")])
        #expect(try connection.find(Page.self, keys: ["B", "A", "c"]).map(\.text) == ["2", "1"])
    }

    @Test func aKeyOfSeveralColumnsIsAnError() throws {
        try connection.create(points)
        let error = try sqliteError { _ = try connection.table(points).find(keys: [1]) }
        #expect(error.kind == .problem(TableProblem.keyCount(columns: ["x", "y"], given: 1), of: .table("points")))
    }

    private struct Token: TableRecord, Equatable {
        let id: UUID
        let name: String

        static let table = Table("tokens", Token.init) {
            Column("id", \Token.id, as: .text, .primaryKey)
            Column("name", \Token.name)
        }
    }

    @Test func keysAreFoundInTheFormOfTheirColumn() throws {
        try connection.create(Token.table)
        let tokens = ["a", "b", "c"].map { Token(id: UUID(), name: $0) }
        try connection.insert(contentsOf: tokens)
        let found = try connection.table(Token.table).find(keys: [tokens[2].id, UUID(), tokens[0].id])
        #expect(found == [tokens[2], tokens[0]])
    }
}
