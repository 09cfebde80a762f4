import Foundation
import Squall
import SquallTestSupport
import Testing

/// `isSame(as:)`: equality for which NULL is a value.
struct SameTests {
    private enum Kind: String, Binding, Equatable { case leaf, branch }

    private struct Node: TableRecord, Equatable {
        var id: Int
        var parent: Int?
        var weight: Double? = nil
        var code: String? = nil
        var seen: Date? = nil
        var kind: Kind? = nil

        static let table = Table("nodes", Node.init) {
            Column("id", \Node.id, .primaryKey)
            Column("parent", \Node.parent)
            Column("weight", \Node.weight)
            Column("code", \Node.code, .collate("NOCASE"))
            Column("seen", \Node.seen, as: .unixTime)
            Column("kind", \Node.kind)
        }
    }

    private static let day = Date(timeIntervalSince1970: 86_400)

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(Node.table)
        try connection.insert(contentsOf: [
            Node(id: 1, parent: 1, weight: 1, code: "A", seen: Self.day, kind: .leaf),
            Node(id: 2, parent: 1, code: "a"),
            Node(id: 3, parent: nil),
        ])
    }

    private func sql(_ condition: (Columns<Node>) -> Condition) -> String {
        Node.where(condition).sql.debugDescription.split(separator: " WHERE ", maxSplits: 1).last.map(String.init) ?? ""
    }

    private func ids(_ condition: (Columns<Node>) -> Condition) throws -> [Int] {
        try connection.all(Node.where(condition).order { $0.id }.select { $0.id })
    }

    @Test func theSQL() {
        #expect(sql { $0.parent.isSame(as: $0.id) } == #""nodes"."parent" IS "nodes"."id""#)
        #expect(sql { $0.parent.isSame(as: 1) } == #""nodes"."parent" IS 1"#)
        #expect(sql { $0.parent.isSame(as: nil) } == #""nodes"."parent" IS NULL"#)
        #expect(sql { !$0.code.isSame(as: "x' OR 1") } == #"NOT ("nodes"."code" IS 'x'' OR 1')"#)
        #expect(sql { $0.seen.isSame(as: Self.day) } == #""nodes"."seen" IS 86400"#)
        #expect(sql { $0.kind.isSame(as: .leaf) } == #""nodes"."kind" IS 'leaf'"#)
        #expect(sql { ($0.id + 1).isSame(as: $0.parent) } == #"("nodes"."id" + 1) IS "nodes"."parent""#)
    }

    @Test func nullIsTheSameAsNull() throws {
        let missing: Int? = nil
        #expect(try ids { $0.parent.isSame(as: $0.id) } == [1])
        #expect(try ids { $0.parent.isSame(as: missing) } == [3])
        #expect(try ids { !$0.parent.isSame(as: 1) } == [3], "with `!=`, the row with NULL is missing")
        #expect(try ids { $0.parent != 1 } == [])
        #expect(try ids { $0.weight.isSame(as: $0.id) } == [1], "numbers of all types")
        #expect(try ids { $0.code.isSame(as: "a") } == [1, 2], "by the collation of the column")
        #expect(try ids { $0.seen.isSame(as: Self.day) } == [1])
        #expect(try ids { $0.kind.isSame(as: .leaf) || $0.kind.isSame(as: nil) } == [1, 2, 3])
        let other = Node.as("other")
        let pairs = Node.join(other) { $0.parent.isSame(as: $1.parent) }.order { ($0.id, $1.id) }.select {
            ($0.id, $1.id)
        }
        #expect(try connection.all(pairs).map { [$0, $1] } == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 3]])
    }

    @Test func columnsOfDifferentFormsAreRefused() throws {
        struct Other: TableRecord {
            let id: Int, seen: Date?
            static let table = Table("others", Other.init) {
                Column("id", \Other.id, .primaryKey)
                Column("seen", \Other.seen)
            }
        }
        let error = try sqliteError { _ = try connection.all(Node.join(Other.self) { $0.seen.isSame(as: $1.seen) }) }
        guard case .differentForms? = error.problem(ExpressionProblem.self) else { throw error }
    }
}
