/// Schemas as text, one statement after another with a line `;` between them.
enum SchemaSeeds {
    /// Returns the statements of a text that define something. Others could read and write files.
    static func statements(_ bytes: [UInt8]) -> [String] {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: true).prefix(6)
        return parts.map { String(decoding: $0, as: UTF8.self) }.filter { $0.prefix(7).uppercased() == "CREATE " }
    }

    static var all: [String: [UInt8]] {
        let texts = [
            "CREATE TABLE t0(a \"INT); DROP TABLE victim; COMMIT; --\", b TEXT)\0CREATE INDEX i ON t0(b) WHERE a > 'x; y'",
            "CREATE TABLE t0(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT DEFAULT (spy()) CHECK (spy(b)), c AS (a + 1) STORED)",
            "CREATE TABLE t0(é TEXT, É TEXT COLLATE NOCASE, x, PRIMARY KEY(x DESC, é), FOREIGN KEY(x) REFERENCES t0) WITHOUT ROWID, STRICT",
            "CREATE TABLE t0(a DECIMAL (10,2) NOT NULL ON CONFLICT IGNORE, b REFERENCES o(x) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED)",
            "CREATE VIEW v AS SELECT spy() AS a\0CREATE TRIGGER g INSTEAD OF INSERT ON v BEGIN DELETE FROM victim; END",
            "CREATE TABLE t0(a, b, CONSTRAINT c CHECK (a > .5) UNIQUE (a COLLATE RTRIM, b DESC) ON CONFLICT FAIL) -- end",
            "CREATE VIRTUAL TABLE t0 USING fts5(a, b)\0CREATE VIRTUAL TABLE t1 USING rtree(id, x0, x1)",
        ]
        var seeds: [String: [UInt8]] = [:]
        for (index, text) in texts.enumerated() { seeds["text-\(index)"] = [UInt8(index * 2 + 1)] + Array(text.utf8) }
        // Bytes for the grammar: any of them are a schema.
        for seed in 0..<12 as Range<UInt64> {
            var state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
            seeds["grammar-\(seed)"] =
                [UInt8(seed * 2)]
                + (0..<160).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
        }
        return seeds
    }
}
