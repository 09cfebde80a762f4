import Testing

@testable import SquallTool

@Suite struct NormalizedSQLTests {
    @Test(arguments: [
        ("select a,b from t", "SELECT a, [B]\n FROM \"t\" -- end"), ("x'ab'", "X'AB'"), ("a<>b", "A <> b"),
        ("`a``b`", "\"A`B\""),
        ("'it''s'", "/* x */ 'it''s'"), ("1e5+.5", "1E5 + .5"), ("a->>'$.x'", "a ->> '$.x'"), (":p", ":P"),
    ])
    func areAlike(left: String, right: String) {
        #expect(NormalizedSQL.of(left) == NormalizedSQL.of(right))
    }

    @Test(arguments: [
        ("'a'", "'A'"), ("a b", "ab"), ("\"a b\"", "a b"), ("a < = b", "a <= b"), ("ä", "Ä"), ("'a' 'b'", "'a''b'"),
        ("- -1", "--1"),
        ("'e\u{301}'", "'\u{e9}'"),
    ])
    func areNotAlike(left: String, right: String) {
        #expect(Array(NormalizedSQL.of(left).utf8) != Array(NormalizedSQL.of(right).utf8))
    }
}
