/// Random statements that change three tables.
package enum RandomChanges {
    package static let schema = """
        CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, b BLOB, r REAL, n);
        CREATE TABLE c(x TEXT, y INTEGER, v, w, PRIMARY KEY(y, x));
        CREATE TABLE w(k BLOB, v, x INTEGER, PRIMARY KEY(k, x)) WITHOUT ROWID;
        """

    private static func value(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: "NULL"
        case 1...3: "\(Int.random(in: -3...3, using: &random))"
        case 4: "\(Double(Int.random(in: -9...9, using: &random)) / 2)"
        case 5: "x'\(String(repeating: "0f", count: Int.random(in: 0...4, using: &random)))'"
        case 6: "9223372036854775807"
        case 7: "'a' || char(0) || 'ä'"
        case 8: "''"
        default: "'\(random.pick(["a", "b", "it''s"]))'"
        }
    }

    /// A statement that changes a few rows.
    package static func statement(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 1...6, using: &random)
        let (first, second) = (value(&random), value(&random))
        let text = "'\(random.pick(["p", "q", "r"]))'"
        switch Int.random(in: 0..<12, using: &random) {
        case 0...1: return "INSERT OR REPLACE INTO a VALUES(\(number), \(first), \(second), \(number), \(first))"
        case 2: return "UPDATE a SET n = \(first) WHERE id = \(number)"
        case 3: return "UPDATE OR REPLACE a SET id = id + 1, t = \(second) WHERE id >= \(number)"
        case 4: return "DELETE FROM a WHERE id = \(number)"
        case 5...6: return "INSERT OR REPLACE INTO c VALUES(\(text), \(number), \(first), \(second))"
        case 7: return "UPDATE OR IGNORE c SET x = \(text), v = \(first) WHERE y = \(number)"
        case 8: return "DELETE FROM c WHERE x = \(text)"
        case 9: return "INSERT OR IGNORE INTO w VALUES(\(text), \(first), \(number))"
        case 10: return "UPDATE OR IGNORE w SET v = \(first), x = \(number) WHERE k = \(text)"
        default: return "DELETE FROM w WHERE x < \(number) - 2"
        }
    }
}
