import Testing

import SquallBase

@Suite struct NormalizedTests {
    @Test(arguments: [
        ("select a,b from t", "SELECT a, [B]\n FROM \"t\" -- end"), ("x'ab'", "X'AB'"), ("a<>b", "A <> b"),
        ("\"order\"", "[ORDER]"),
        ("`a``b`", "\"A`B\""),
        ("'it''s'", "/* x */ 'it''s'"), ("1e5+.5", "1E5 + .5"), ("a->>'$.x'", "a ->> '$.x'"), (":p", ":P"),
    ])
    func areAlike(left: String, right: String) {
        #expect(SQLTokenizer.normalized(left) == SQLTokenizer.normalized(right))
    }

    @Test(arguments: [
        ("'a'", "'A'"), ("a b", "ab"), ("\"a b\"", "a b"), ("a < = b", "a <= b"), ("ä", "Ä"), ("'a' 'b'", "'a''b'"),
        ("- -1", "--1"),
        ("'e\u{301}'", "'\u{e9}'"), ("\"null\"", "null"), ("\"true\"", "true"), ("[current_date]", "CURRENT_DATE"),
    ])
    func areNotAlike(left: String, right: String) {
        #expect(Array(SQLTokenizer.normalized(left).utf8) != Array(SQLTokenizer.normalized(right).utf8))
    }
}
