// Definitions may come from another program's file. Each text is written so that it stays the part of the definition that it
// claims to be.

extension SQL {
    /// Returns the SQL as one expression of a definition. Its values are written as literals; comments before and after it
    /// are removed.
    ///
    /// Text that could end the expression and continue as another column or statement is replaced by `NULL`. Every verb that
    /// is given the result then throws ``SchemaError/invalid(_:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the expression in the error: `the default of "age"`.
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

    /// Returns the SQL after `DEFAULT`: a literal unchanged, any other expression in parentheses.
    func defaultValue(ofColumn name: String) -> SQL {
        let sql = expression(named: "the default of \"\(name)\"")
        let tokens = SQLTokenizer.tokens(of: sql.text)[...]
        return sql.failure != nil || tokens.isLiteral || tokens.isGroup ? sql : "(\(sql))"
    }

    /// The SQL after `DEFAULT` as an expression. SQLite takes a name or a word, except a literal, as text: `DEFAULT abc` is
    /// `DEFAULT 'abc'`.
    var defaultExpression: SQL {
        let sql = withLiterals
        let tokens = SQLTokenizer.tokens(of: sql.text)
        guard sql.failure == nil, tokens.count == 1,
            tokens[0].kind == .name || tokens[0].kind == .word && !tokens[0].isLiteralWord
        else { return sql }
        return SQL("\(tokens[0].text)").withLiterals
    }

    /// Creates the SQL of a column type. Words with one or two numbers are written unchanged. Any other text becomes one
    /// quoted name, which SQLite treats as the same type: `"INT); DROP TABLE cars"`.
    init(type: String) {
        self = SQLTokenizer.tokens(of: type)[...].isPlainType(type) ? SQL(raw: type) : "\(name: type)"
    }

    /// Returns a replacement for SQL that cannot be written. Running it throws the reason.
    static func refused(_ reason: String) -> SQL {
        var sql: SQL = "NULL"
        sql.fail(SchemaError.invalid([reason]))
        return sql
    }
}

extension ArraySlice<Token> {
    /// Returns the reason why the tokens are not a single expression.
    fileprivate func faultAsExpression(isListed: Bool) -> String? {
        var depth = 0
        for token in self {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if !token.isTerminated { return "has a quote that does not end" }
            if depth < 0 { break }
            if token.is(";") { return "has a semicolon" }
            if depth == 0 && isListed && token.is(",") { return "has a comma" }
            let isLonePrefix = token.kind == .sign && [":", "@", "$", "#"].contains(token.source)
            if token.kind == .parameter || isLonePrefix { return "has a parameter" }
        }
        return depth == 0 ? nil : "has unbalanced parentheses"
    }

    /// Whether the tokens are one pair of parentheses and its content.
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

    /// Whether the tokens are a literal, with or without a sign, or a name that `DEFAULT` treats as text.
    var isLiteral: Bool {
        let isSigned = first?.is("+") == true || first?.is("-") == true
        let rest = isSigned ? dropFirst() : self
        guard let token = rest.first else { return false }
        guard rest.count == 1 else { return false }
        return token.isNumber || token.kind == .text || token.kind == .blob
            || !isSigned && (token.is("NULL") || token.isOfType)
    }

    /// Returns whether the tokens are a complete type: words, and at most two numbers in parentheses.
    fileprivate func isPlainType(_ type: String) -> Bool {
        // SQLite treats a final word `ALWAYS` as the beginning of `GENERATED ALWAYS AS`.
        let words = prefix { $0.kind == .word && !$0.isReserved }
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

extension Token {
    /// Whether the token can be part of a type.
    var isOfType: Bool { kind == .name || kind == .text || kind == .word && !isReserved }
}
