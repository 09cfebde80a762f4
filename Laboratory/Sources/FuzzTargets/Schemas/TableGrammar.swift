/// A `CREATE TABLE` made of the bytes of the fuzzer.
struct TableGrammar {
    /// The name of the table without quotes.
    let name: String
    /// The names of the columns as they stand in SQL.
    private(set) var columns: [String] = []

    init(name: String) {
        self.name = name
    }

    mutating func statement(_ input: inout FuzzInput) -> String {
        var parts: [String] = []
        for _ in 0..<input.number(below: 5) + 1 {
            let column = SchemaGrammar.name(&input)
            columns.append(column)
            parts.append(column + type(&input) + constraints(&input))
        }
        for _ in 0..<input.number(below: 3) { parts.append(tableConstraint(&input)) }
        let separator = input.pick(", ", ",", ",\n", " , /* ; */ ")
        let options = input.pick("", "", "", " STRICT", " WITHOUT ROWID", " WITHOUT ROWID, STRICT", "\tstrict -- end")
        let start = input.pick(
            "CREATE TABLE ", "create table\n", "CREATE TABLE IF NOT EXISTS ", "CREATE/**/TABLE main.")
        return
            "\(start)\(SchemaGrammar.quoted(name))\(SchemaGrammar.blank(&input))(\(parts.joined(separator: separator)))\(options)"
    }

    /// Statements that insert rows.
    func rows(_ input: inout FuzzInput) -> [String] {
        let table = SchemaGrammar.quoted(name)
        var statements = ["INSERT OR IGNORE INTO \(table) DEFAULT VALUES"]
        let literals = ["1", "'text'", "NULL", "x'00ff'", "2.5", "-7", "''", "9223372036854775807"]
        for _ in 0..<input.number(below: 3) {
            let values = columns.map { _ in literals[input.number(below: literals.count)] }
            statements.append("INSERT OR IGNORE INTO \(table) VALUES(\(values.joined(separator: ", ")))")
        }
        return statements
    }

    private func type(_ input: inout FuzzInput) -> String {
        switch input.number(below: 10) {
        case 0: return ""
        case 1: return " " + SchemaGrammar.name(&input)
        case 2: return " \(SchemaGrammar.quoted(SchemaGrammar.payload(&input)))"
        case 3:
            return " "
                + input.pick(
                    "VARCHAR(10)", "DECIMAL (10,2)", "DOUBLE  PRECISION", "[char.3]", "INT(+1,-2)", "LONG /**/ TEXT")
        default: return " " + input.pick("INTEGER", "TEXT", "BLOB", "REAL", "INT", "ANY", "integer")
        }
    }

    private func constraints(_ input: inout FuzzInput) -> String {
        var result = ""
        for _ in 0..<input.number(below: 4) {
            result += SchemaGrammar.blank(&input)
            if input.chance(20) { result += "CONSTRAINT \(SchemaGrammar.name(&input)) " }
            result += constraint(&input)
        }
        return result
    }

    private func constraint(_ input: inout FuzzInput) -> String {
        func expression(_ input: inout FuzzInput) -> String { SchemaGrammar.expression(&input, columns) }
        let conflict =
            input.chance(20) ? " ON CONFLICT " + input.pick("IGNORE", "replace", "FAIL", "ABORT", "ROLLBACK") : ""
        switch input.number(below: 12) {
        case 0: return "PRIMARY KEY" + input.pick("", " DESC", " ASC") + conflict + input.pick("", "", " AUTOINCREMENT")
        case 1: return "NOT NULL" + conflict
        case 2: return "UNIQUE" + conflict
        case 3: return "DEFAULT (\(expression(&input)))"
        case 4:
            return "DEFAULT "
                + input.pick(
                    "1", "-1", "+.5", "'it''s; x'", "NULL", "x'ff'", "word", "CURRENT_TIME", "\"name\"", "- 5", "TRUE")
        case 5: return "CHECK\(SchemaGrammar.blank(&input))(\(expression(&input)))"
        case 6: return "COLLATE " + input.pick("NOCASE", "\"RTRIM\"", "binary", "[nocase]")
        case 7: return reference(&input)
        case 8: return "GENERATED ALWAYS AS (\(expression(&input)))" + input.pick("", " STORED", " VIRTUAL")
        case 9: return "AS (\(expression(&input)))" + input.pick("", " STORED", " virtual")
        case 10: return "NULL" + conflict
        default: return "NOT DEFERRABLE INITIALLY IMMEDIATE"
        }
    }

    private func reference(_ input: inout FuzzInput) -> String {
        "REFERENCES \(SchemaGrammar.name(&input))" + input.pick("", "(a)", "([a b])", "(\"a\", b)")
            + input.pick(
                "", " ON DELETE CASCADE", " ON UPDATE SET NULL", " ON DELETE NO ACTION ON UPDATE RESTRICT",
                " MATCH FULL")
            + input.pick("", " DEFERRABLE INITIALLY DEFERRED", " NOT DEFERRABLE", " DEFERRABLE")
    }

    private func tableConstraint(_ input: inout FuzzInput) -> String {
        let name = input.chance(40) ? "CONSTRAINT \(SchemaGrammar.name(&input)) " : ""
        let first = columns.isEmpty ? "a" : columns[input.number(below: columns.count)]
        let term = first + input.pick("", " DESC", " COLLATE NOCASE", " ASC")
        let list = input.chance(50) ? term : "\(term), \(columns.first ?? "b")"
        switch input.number(below: 6) {
        case 0: return name + "PRIMARY KEY (\(list)\(input.pick("", "", " AUTOINCREMENT")))"
        case 1: return name + "UNIQUE(\(list)) ON CONFLICT " + input.pick("IGNORE", "REPLACE")
        case 2: return name + "UNIQUE (\(list))"
        case 3: return name + "CHECK(\(SchemaGrammar.expression(&input, columns)))"
        default: return name + "FOREIGN KEY(\(first)) \(reference(&input))"
        }
    }
}
