// Texts of definitions, which may come from another program's file: each is printed so that it stays the part that it is.

extension SQL {
    /// The SQL as one expression of a definition, its values written as literals, without comments before and after it.
    ///
    /// Text that could end the expression and go on as another column or statement is not printed: `NULL` takes its place, and
    /// every verb that is given the SQL throws ``SchemaError/invalid(_:)``.
    ///
    /// - Parameters:
    ///   - name: The expression in the error: `the default of "age"`.
    ///   - isListed: Whether a comma would end the expression.
    func expression(named name: @autoclosure () -> String, isListed: Bool = false) -> SQL {
        let sql = withLiterals
        guard sql.failure == nil else { return sql }
        let text = sql.text
        let tokens = SQLTokenizer.tokens(of: text)
        let reason = text.utf8.contains(0) ? "has a NUL character" : tokens[...].faultAsExpression(isListed: isListed)
        guard reason == nil, let first = tokens.first, let last = tokens.last else {
            return .refused("\(name()) \(reason ?? "is empty"): \(text)")
        }
        return SQL(
            raw: String(decoding: Array(text.utf8)[first.range.lowerBound..<last.range.upperBound], as: UTF8.self))
    }

    /// The SQL after `DEFAULT`: a literal as it is, anything else in parentheses.
    func defaultValue(ofColumn name: String) -> SQL {
        let sql = expression(named: "the default of \"\(name)\"")
        let tokens = SQLTokenizer.tokens(of: sql.text)[...]
        return sql.failure != nil || tokens.isLiteral || tokens.isGroup ? sql : "(\(sql))"
    }

    /// The type of a column. Words with one or two numbers are printed as they are. Anything else becomes one quoted name,
    /// which to SQLite is the same type: `"INT); DROP TABLE cars"`.
    init(type: String) {
        self = SQLTokenizer.tokens(of: type)[...].isPlainType(type) ? SQL(raw: type) : "\(name: type)"
    }

    /// SQL in the place of some that cannot be printed.
    static func refused(_ reason: String) -> SQL {
        var sql: SQL = "NULL"
        sql.fail(SchemaError.invalid([reason]))
        return sql
    }
}

extension ArraySlice<SQLToken> {
    /// Why these tokens cannot stand where one expression is expected.
    fileprivate func faultAsExpression(isListed: Bool) -> String? {
        var depth = 0
        for token in self {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if token.kind == .unterminated { return "has a quote that does not end" }
            if depth < 0 { break }
            if token.is(";") { return "has a semicolon" }
            if depth == 0 && isListed && token.is(",") { return "has a comma" }
            let isParameter =
                token.kind == .word ? token.isParameter : ["?", ":", "@", "#"].contains(token.text)
            if isParameter && token.kind != .text && token.kind != .name { return "has a parameter" }
        }
        return depth == 0 ? nil : "has unbalanced parentheses"
    }

    /// Whether it is one pair of parentheses with what is between them.
    var isGroup: Bool {
        guard first?.is("(") == true else { return false }
        var depth = 0
        for (index, token) in zip(indices, self) {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if depth == 0 { return index == endIndex - 1 }
        }
        return false
    }

    /// Whether it is a literal, with or without a sign, or a name that `DEFAULT` takes for text.
    var isLiteral: Bool {
        let isSigned = first?.is("+") == true || first?.is("-") == true
        let rest = isSigned ? dropFirst() : self
        guard let token = rest.first else { return false }
        if rest.count == 2, let text = rest.last, text.kind == .text {
            // A blob: x'00'.
            return token.is("X") && token.range.upperBound == text.range.lowerBound
        }
        guard rest.count == 1 else { return false }
        return token.isNumber || token.kind == .text || !isSigned && (token.is("NULL") || token.isOfType)
    }

    /// Whether it is the whole of a type: words, and at most two numbers in parentheses.
    fileprivate func isPlainType(_ type: String) -> Bool {
        // SQLite takes a last word ALWAYS for the beginning of GENERATED ALWAYS AS.
        let words = prefix { $0.kind == .word && !$0.isReserved && !$0.isParameter }
        guard let last = words.last, !last.is("ALWAYS"), first?.range.lowerBound == 0,
            self.last?.range.upperBound == type.utf8.count, !type.contains("--"), !type.contains("/*")
        else { return false }
        let list = dropFirst(words.count)
        guard !list.isEmpty else { return true }
        guard list.isGroup else { return false }
        let numbers = list.dropFirst().dropLast().split(omittingEmptySubsequences: false) { $0.is(",") }
        return numbers.count <= 2
            && numbers.allSatisfy { number in
                let digits =
                    number.first?.is("+") == true || number.first?.is("-") == true ? number.dropFirst() : number
                return digits.count == 1 && digits.allSatisfy { $0.text.allSatisfy { $0.isASCII && $0.isNumber } }
            }
    }
}

extension SQLToken {
    /// Whether it can be a part of a type.
    var isOfType: Bool { kind == .name || kind == .text || kind == .word && !isReserved }
}

extension TriggerDefinition {
    /// Why the SQL is not one `CREATE TRIGGER`.
    var fault: String? {
        let tokens = SQLTokenizer.tokens(of: sql.withLiterals.text)
        let words = tokens.filter { !$0.is("TEMP") && !$0.is("TEMPORARY") }
        let end = zip(tokens, tokens.dropFirst()).enumerated().first { $1.0.is(";") && $1.1.is("END") }?.offset
        guard words.first?.is("CREATE") == true, words.dropFirst().first?.is("TRIGGER") == true, let end,
            tokens[(end + 2)...].allSatisfy({ $0.is(";") })
        else { return "the SQL of the trigger \"\(name)\" is not one CREATE TRIGGER: \(sql.text)" }
        return nil
    }
}
