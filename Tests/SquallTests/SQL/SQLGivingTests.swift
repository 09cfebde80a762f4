import SquallTestSupport
import Testing

@testable import Squall

/// Values in place of written parameters, as SQLite would bind them.
struct SQLGivingTests {
    @Test func valuesReplaceParametersInOrder() throws {
        let sql = try ("SELECT ?, '?', \"?\" -- ?\n, ?" as SQL).giving(1, nil as String?)
        #expect(sql.text == "SELECT ?, '?', \"?\" -- ?\n, ?")
        #expect(sql.parameters == [.integer(1), .null])
        let same = try ("SELECT 1" as SQL).giving()
        #expect(same == "SELECT 1")
    }

    @Test func numberedAndNamedParametersRepeat() throws {
        let numbered = try ("SELECT ?2, ?1, ?, ?2" as SQL).giving("a", "b", "c")
        #expect(numbered.text == "SELECT ?, ?, ?, ?")
        #expect(numbered.parameters == [.text("b"), .text("a"), .text("c"), .text("b")])
        let named = try ("SELECT :x, @y, :x, ?" as SQL).giving(1, 2, 3)
        #expect(named.parameters == [.integer(1), .integer(2), .integer(1), .integer(3)])
        let byName = try ("SELECT :x, $y, :x" as SQL).giving(
            (["x": 1, "$y": "é"] as [String: (any Bindable)?]).listedValues)
        #expect(byName.parameters == [.integer(1), .text("é"), .integer(1)])
        let values: [String: (any Bindable)?] = ["x": nil, "y": 2]
        let missing = try ("SELECT :x, $y" as SQL).giving(values.listedValues)
        #expect(missing.parameters == [.null, .integer(2)])
        // The same as the library binds.
        let connection = try Connection()
        let parts = "|| '-' ||"
        let bound: String = try connection.query(
            "SELECT ?2 \(raw: parts) ?1 \(raw: parts) ? \(raw: parts) ?2", "a", "b", "c")
        #expect(bound == "b-a-c-b")
    }

    @Test func wrongValuesAreRefused() throws {
        let two: SQL = "SELECT ?, ?"
        #expect(try errorKind { _ = try two.giving(1) } == .parameterCount(expected: 2, given: 1))
        #expect(try errorKind { _ = try two.giving(1, 2, 3) } == .parameterCount(expected: 2, given: 3))
        let mixed: SQL = "SELECT \(1), ?"
        #expect(try errorKind { _ = try mixed.giving(1) } == .parameterBesideValues)
        let named: SQL = "SELECT :x, :y"
        let list = { (values: [String: (any Bindable)?]) in _ = try named.giving(values.listedValues) }
        #expect(try errorKind { try list(["x": 1]) } == .missingParameter(name: ":y"))
        #expect(try errorKind { try list(["x": 1, "y": 2, "z": 3]) } == .unknownParameter(name: "z"))
        #expect(try errorKind { try list(["x": 1, ":x": 2, "y": 3]) } == .repeatedParameter(name: ":x"))
        // Names that Swift treats as equal, and SQLite does not.
        let equivalent: SQL = "SELECT :\u{e9}, :e\u{301}"
        let composed: [String: (any Bindable)?] = ["\u{e9}": 1]
        let missing = try errorKind { _ = try equivalent.giving(composed.listedValues) }
        guard case .missingParameter(let name) = missing else {
            Issue.record("\(missing)")
            return
        }
        #expect(Array(name.utf8) == Array(":e\u{301}".utf8))
        let unnamed: SQL = "SELECT :x, ?"
        let kind = try errorKind { _ = try unnamed.giving((["x": 1] as [String: (any Bindable)?]).listedValues) }
        #expect(kind == .unnamedParameter)
    }

    @Test func parametersAreReadAsSQLiteReadsThem() throws {
        let connection = try Connection()
        for text in ["SELECT $a(x)", "SELECT $a::b(')", "SELECT #$a::b", "SELECT \u{FEFF}$a", "SELECT \u{FEFF}?"] {
            let expected: Int = try connection.query(SQL(raw: text), 7)
            let value: Int = try connection.query(SQL(raw: text).giving(7))
            #expect(value == expected, "\(text)")
        }
        // Equivalent characters are two names.
        #expect(try SQL(raw: "SELECT :\u{E9}, :e\u{301}").giving(1, 2).parameters == [.integer(1), .integer(2)])
        // Numbers that SQLite refuses.
        for text in ["SELECT ?0", "SELECT ?0, ?1", "SELECT ?99999999999999999999"] {
            #expect(throws: SQLiteError.self, "\(text)") {
                let _: Int = try connection.query(SQL(raw: text).giving(1))
            }
        }
    }
}
