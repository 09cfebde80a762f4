/// Programs with every ordinary way to give a verb its SQL, one on each line.
enum SpliceForms {
    /// The verbs, as calls of `§`, the SQL.
    static let verbs = [
        "let _: Int = try c.query(§)", "try c.run(§)", "try c.execute(§)", "_ = try c.prepare(§)",
        "try c.forEach(§) { _ in }", "_ = try Statement(connection: c, sql: §)", "_ = try c.explainQueryPlan(§)",
    ]

    /// The ways to make a `String` of SQL with `x` spliced into it, and to give it to a verb, `§(…)`.
    static let strings = [
        #"let sql = "SELECT \(x)"; §(sql)"#,
        #"var sql = "SELECT "; sql += "\(x)"; §(sql)"#,
        #"for sql in ["SELECT \(x)", "SELECT 1"] { §(sql) }"#,
        #"func sql() -> String { "SELECT \(x)" }; §(sql())"#,
        #"let sql = { "SELECT \(x)" }; §(sql())"#,
        #"§(holder.sql)"#,
        #"let pair = (sql: "SELECT \(x)", limit: 1); §(pair.sql)"#,
        #"let all = ["a": "SELECT \(x)"]; §(all["a"] ?? "SELECT 1")"#,
        #"let sql: String; if flag { sql = "SELECT \(x)" } else { sql = "SELECT 1" }; §(sql)"#,
        #"let sql = flag ? "SELECT \(x)" : "SELECT 1"; §(sql)"#,
        #"let sql = switch flag { case true: "SELECT \(x)"; case false: "SELECT 1" }; §(sql)"#,
        #"§(text + "WHERE name = \(x)")"#,
        #"§("SELECT \(x) " + text)"#,
        #"let clause = "WHERE name = \(x)"; §("SELECT 1 " + clause)"#,
        #"§("SELECT " + "\(x) " + text)"#,
        #"§(flag ? "SELECT \(x)" : text)"#,
        #"§(text.isEmpty ? text : "SELECT \(x)")"#,
        #"§(optional ?? "SELECT \(x)")"#,
        #"§("SELECT \(x)".trimmingCharacters(in: .whitespaces))"#,
        #"§("SELECT \(x)".replacingOccurrences(of: "a", with: "b"))"#,
        #"§("SELECT \(x)".lowercased())"#,
        #"§("SELECT \(x)".dropLast())"#,
        #"§("SELECT \(x)" as String)"#,
        #"§(String("SELECT \(x)"))"#,
        #"§(String(format: "SELECT '%@'", x))"#,
        #"§([text, "WHERE name = \(x)"].joined(separator: " "))"#,
        #"let parts = ["SELECT", "\(x)"]; §(parts.joined(separator: " "))"#,
    ]

    /// Literals, and what is joined of literals, with `x` in them.
    static let literals = [
        #""SELECT \(x)""#,
        #""SELECT " + "\(x)""#,
        #""SELECT " + "\(x)" + " WHERE 1""#,
        #""SELECT " + "\(x)" + " WHERE " + "1" + " = \(x)""#,
        ##"#"SELECT \#(x)"#"##,
        #"("SELECT \(x)")"#,
        #"flag ? "SELECT \(x)" : "SELECT 1""#,
        #"["SELECT", "\(x)"].joined(separator: " ")"#,
        #""SELECT \(x)" as SQL"#,
    ]

    /// Expressions around a query, `§(…)`, whose result has a type of their own.
    static let expressions = [
        "let _ = try §(~) ?? 0", "let _ = try §(~) ?? \"\"", "let _: Int = try §(~) ?? 0", "let _ = try §(~)?[0] ?? 0",
        "let _ = (try? §(~)) ?? 0", "let _ = try !§(~)", "let _ = try §(~) == 1", "let _ = try §(~) > 1",
        "let _ = try §(~) as Int? != nil", "if let n: Int = try §(~) { print(n) }",
        "guard let n: Int = try §(~) else { return }; print(n)", "print(try §(~) as Int)", "let _ = try max(§(~), 3)",
        "let _ = try { try §(~) as Int }()", "let _: Int = try c.transaction { try §(~) }",
        "switch try §(~) as Int { case 1: break; default: break }", "let _ = \"\\(try §(~) as Int)\"",
        "let _: [Int] = [try §(~), 1]", "let _ = try (§(~) as [Int]).map { $0 + 1 }",
        "for n in try §(~) as [Int] { print(n) }", "let _ = try §(~)", "let _: [String] = try §(~) { $0[0] }",
    ]

    /// The declarations that the lines of a program use.
    static let declarations = """
        import Foundation
        import MODULE
        struct Holder { let sql: String }

        """

    /// A program with a function on each line.
    static func program(importing module: String, _ lines: [String]) -> String {
        let parameters =
            "_ c: Connection, _ x: String, _ text: String, _ optional: String?, _ holder: Holder, _ flag: Bool"
        return lines.enumerated().reduce(into: declarations.replacing("MODULE", with: module)) { program, line in
            program += "func f\(line.offset)(\(parameters)) throws { \(line.element) }\n"
        }
    }

    /// The number of the first function's line.
    static let firstLine = declarations.split(separator: "\n", omittingEmptySubsequences: false).count

    /// Every verb with every `String`.
    static let stringLines = strings.flatMap { form in
        verbs.map { verb in line(form, verb) }
    }

    /// Every verb with every literal, and every expression around a query of a literal.
    static let literalLines =
        literals.flatMap { literal in verbs.map { $0.replacing("§", with: literal) } }
        + literals.flatMap { literal in
            expressions.map { $0.replacing("§(~)", with: "c.query(\(literal))") }
        }

    /// Returns a line with its `§(…)` as a call of a verb.
    static func line(_ form: String, _ verb: String) -> String {
        guard let start = form.firstIndex(of: "§") else { return form }
        var depth = 0
        var end = form.index(after: start)
        repeat {
            if form[end] == "(" { depth += 1 }
            if form[end] == ")" { depth -= 1 }
            end = form.index(after: end)
        } while depth > 0
        let argument = form[form.index(start, offsetBy: 2)..<form.index(before: end)]
        return form[..<start] + verb.replacing("§", with: argument) + form[end...]
    }
}
