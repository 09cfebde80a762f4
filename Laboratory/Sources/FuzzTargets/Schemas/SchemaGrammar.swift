/// Statements that define tables, indexes, triggers and views, made of the bytes of the fuzzer.
///
/// Everything that SQLite's grammar allows in a definition occurs, in odd spellings as well. Not all statements are valid.
enum SchemaGrammar {
    static func statements(_ input: inout FuzzInput) -> [String] {
        var statements: [String] = []
        for index in 0..<input.number(below: 3) + 1 {
            var table = TableGrammar(name: input.chance(70) ? "t\(index)" : name(&input))
            statements.append(table.statement(&input))
            statements += table.rows(&input)
            for _ in 0..<input.number(below: 3) { statements.append(dependent(&input, table)) }
        }
        return statements
    }

    private static func dependent(_ input: inout FuzzInput, _ table: TableGrammar) -> String {
        let (gap, name, quoted) = (blank(&input), name(&input), quoted(table.name))
        let column = input.pick(table.columns.first ?? "a", table.columns.last ?? "b")
        switch input.number(below: 4) {
        case 0, 1:
            let unique = input.pick("", "UNIQUE ")
            let order = input.pick("", " DESC", " ASC", " COLLATE NOCASE", " COLLATE \"RTRIM\" DESC")
            let term = input.chance(60) ? column : expression(&input, table.columns)
            let condition = input.chance(40) ? " WHERE \(expression(&input, table.columns))" : ""
            return "CREATE \(unique)INDEX\(gap)\(name) ON \(quoted)(\(term)\(order))\(condition)"
        case 2:
            let event = input.pick("AFTER INSERT", "BEFORE DELETE", "AFTER UPDATE OF \(column)", "UPDATE")
            let body = input.pick(
                "DELETE FROM victim", "UPDATE victim SET x = spy()", "SELECT spy(new.\(column))", "SELECT raise(IGNORE)"
            )
            return
                "CREATE TRIGGER\(gap)\(name) \(event) ON \(input.pick(quoted, "victim", "squall_versions")) BEGIN \(body); END"
        default:
            return
                "CREATE VIEW\(gap)\(name) AS SELECT \(expression(&input, table.columns)) AS \(self.name(&input)), * FROM \(quoted)"
        }
    }

    /// A name as it stands in SQL, with quotes of any kind or none.
    static func name(_ input: inout FuzzInput) -> String {
        switch input.number(below: 12) {
        case 0: return "[a b]"
        case 1: return "`c``d`"
        case 2: return "\"e\"\"f\""
        case 3: return "'g''h'"
        case 4: return quoted(input.text(upTo: 16))
        case 5: return quoted(payload(&input))
        case 6: return input.pick("É", "é", "e\u{301}", "\u{feff}x", "$", "_1")
        case 7: return input.pick("key", "strict", "rowid", "generated", "always", "desc", "oid", "replace", "if", "no")
        default: return input.pick("a", "b", "c", "A", "dd", "x1")
        }
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : "\($0)" }.joined() + "\""
    }

    private static func literalText(_ text: String) -> String {
        "'" + text.unicodeScalars.map { $0 == "'" ? "''" : "\($0)" }.joined() + "'"
    }

    /// Text that ends what surrounds it, and goes on with SQL that nobody may run.
    static func payload(_ input: inout FuzzInput) -> String {
        input.pick("INT); ", "x\"); ", "'; ", ")) ; ", "*/; ", "--\n; ", "; ")
            + input.pick("DROP TABLE victim", "DELETE FROM victim", "COMMIT; DROP TABLE victim", "SELECT spy()")
            + input.pick("; --", "", "; /*", "'")
    }

    /// What SQLite treats as a blank.
    static func blank(_ input: inout FuzzInput) -> String {
        input.pick(" ", " ", " ", "\n", "\t", " /* , ) */ ", " -- ' )\n", "  ", "\u{0c}")
    }

    static func expression(_ input: inout FuzzInput, _ columns: [String], depth: Int = 0) -> String {
        let column = columns.isEmpty ? "1" : columns[input.number(below: columns.count)]
        guard depth < 4 else { return column }
        func next(_ input: inout FuzzInput) -> String { expression(&input, columns, depth: depth + 1) }
        switch input.number(below: 16) {
        case 0: return "spy(\(next(&input)))"
        case 1: return "(\(next(&input)))"
        case 2:
            return
                "\(next(&input))\(blank(&input))\(input.pick("+", "||", "<>", "AND", "IS NOT", "->", "%"))\(blank(&input))\(next(&input))"
        case 3: return literalText(payload(&input))
        case 4: return "CASE WHEN \(next(&input)) THEN \(next(&input)) ELSE \(next(&input)) END"
        case 5: return "\(next(&input)) COLLATE NOCASE"
        case 6: return "\(next(&input)) IN (1, \(next(&input)))"
        case 7: return "CAST(\(next(&input)) AS \(input.pick("TEXT", "\"odd type\"", "DECIMAL(1, 2)")))"
        case 8: return "-\(next(&input))"
        case 9: return input.pick("x'00ff'", "1e3", "0x10", ".5", "-1", "NULL", "'it''s'", "\"str\"", "TRUE", "1_0")
        case 10: return "coalesce(\(next(&input)), \(next(&input)))"
        case 11: return literalText(input.text(upTo: 12))
        case 12:
            return input.pick("CURRENT_TIMESTAMP", "random()", "changes()", "datetime('now')", "load_extension('x')")
        default: return column
        }
    }
}
