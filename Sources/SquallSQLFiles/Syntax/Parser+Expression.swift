import Squall

extension Parser {
    mutating func expression() throws -> Expression {
        try nested { parser in
            var left = try parser.conjunction()
            while parser.accept("OR") { left = .or(left, try parser.conjunction()) }
            return left
        }
    }

    private mutating func conjunction() throws -> Expression {
        var left = try negation()
        while accept("AND") { left = .and(left, try negation()) }
        return left
    }

    private mutating func negation() throws -> Expression {
        // NOT EXISTS is an operand; the result is the same.
        accept("NOT") ? .not(try negation()) : try equality()
    }

    /// Reads the operators of one precedence: `=`, `IS`, `IN`, `LIKE`, `BETWEEN` and their like.
    private mutating func equality() throws -> Expression {
        var left = try comparison()
        while let next = peek(), next.kind == .word || next.kind == .sign {
            switch next.keyword {
            case "=", "==", "<>", "!=":
                position += 1
                left = .binary(next.keyword, left, try comparison())
            case "IS":
                position += 1
                left = try afterIs(left)
            case "ISNULL", "NOTNULL":
                position += 1
                left = .isNull(left, isNegated: next.keyword == "NOTNULL")
            case "NOT" where isNext("NULL", at: 1):
                position += 2
                left = .isNull(left, isNegated: true)
            case "NOT":
                position += 1
                guard let negated = try predicate(left) else { throw failure }
                left = .not(negated)
            default:
                guard let result = try predicate(left) else { return left }
                left = result
            }
        }
        return left
    }

    private mutating func afterIs(_ left: Expression) throws -> Expression {
        var isNegated = accept("NOT")
        if accept("DISTINCT", "FROM") { isNegated.toggle() }
        let right = try comparison()
        if case .null = right { return .isNull(left, isNegated: isNegated) }
        return .equal(left, right, isNegated: isNegated)
    }

    /// Reads a predicate that NOT may stand before; `nil` if there is none.
    private mutating func predicate(_ left: Expression) throws -> Expression? {
        guard let word = peek(), word.kind == .word else { return nil }
        switch word.keyword {
        case "BETWEEN":
            position += 1
            let low = try comparison()
            try expect("AND")
            return .between(left, low, try comparison())
        case "IN":
            position += 1
            return try afterIn(left)
        case "LIKE", "GLOB", "REGEXP", "MATCH":
            position += 1
            let pattern = try comparison()
            return .like(word.keyword, left, pattern: pattern, escape: accept("ESCAPE") ? try comparison() : nil)
        default: return nil
        }
    }

    private mutating func afterIn(_ left: Expression) throws -> Expression {
        if let token = peek(), token.kind == .list {
            position += 1
            return .inParameter(left, token.text)
        }
        guard isNext("(") else {
            _ = try name()
            if accept(".") { _ = try name() }
            if isNext("(") {
                let arguments = try parenthesised { try $0.isNext(")") ? [] : $0.list { try $0.expression() } }
                return .inTable(.row([left] + arguments))
            }
            return .inTable(left)
        }
        if let token = peek(1), token.kind == .list, isNext(")", at: 2) {
            position += 3
            return .inParameter(left, token.text)
        }
        position += 1
        if startsSelect {
            let select = try select()
            try expect(")")
            return .inSelect(left, select)
        }
        let values = isNext(")") ? [] : try list { try $0.expression() }
        try expect(")")
        return .inList(left, values)
    }

    private mutating func comparison() throws -> Expression { try binary(0) }

    /// The operators from the weakest to the strongest.
    private static let operators: [Set<String>] = [
        ["<", "<=", ">", ">="], ["&", "|", "<<", ">>"], ["+", "-"], ["*", "/", "%"], ["||", "->", "->>"],
    ]

    private mutating func binary(_ level: Int) throws -> Expression {
        guard level < Self.operators.count else { return try collated() }
        var left = try binary(level + 1)
        while let sign = peek(), sign.kind == .sign, Self.operators[level].contains(sign.keyword) {
            position += 1
            left = .binary(sign.keyword, left, try binary(level + 1))
        }
        return left
    }

    private mutating func collated() throws -> Expression {
        var result = try unary()
        while accept("COLLATE") {
            _ = try name()
            result = .collate(result)
        }
        return result
    }

    private mutating func unary() throws -> Expression {
        for sign in ["-", "+", "~"] where accept(sign) { return .unary(sign, try unary()) }
        return try operand()
    }
}

// MARK: - Operands

extension Parser {
    private mutating func operand() throws -> Expression {
        guard let token = peek() else { throw failure }
        switch token.kind {
        case .integer: return take(.integer(token.text))
        case .real: return take(.real(token.text))
        case .text: return take(.text(token.text))
        case .blob: return take(.blob)
        case .parameter: return take(.parameter(token.text))
        case .list, .space, .comment: throw failure
        case .sign:
            guard token.keyword == "(" else { throw failure }
            return try inParentheses()
        case .word: return try word(token)
        case .name: return try columnOrCall()
        }
    }

    private mutating func take(_ expression: Expression) -> Expression {
        position += 1
        return expression
    }

    private mutating func inParentheses() throws -> Expression {
        try parenthesised { parser in
            if parser.startsSelect { return .subquery(try parser.select()) }
            let values = try parser.list { try $0.expression() }
            return values.count == 1 ? values[0] : .row(values)
        }
    }

    private mutating func word(_ token: Token) throws -> Expression {
        switch token.keyword {
        case "NULL": return take(.null)
        case "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME": return take(.currentTime)
        case "EXISTS" where isNext("(", at: 1):
            position += 1
            return .exists(try parenthesised { try $0.select() })
        case "NOT":
            position += 1
            return .not(try operand())
        case "CASE": return try cases()
        case "CAST" where isNext("(", at: 1):
            position += 1
            return try parenthesised { parser in
                let value = try parser.expression()
                try parser.expect("AS")
                return .cast(value, type: parser.typeName())
            }
        case "RAISE" where isNext("(", at: 1):
            position += 1
            skipParentheses()
            return .raise
        // A column may have these names; then it is not followed by a dot, and the analysis finds it.
        case "TRUE" where !isNext(".", at: 1): return take(.bool(true))
        case "FALSE" where !isNext(".", at: 1): return take(.bool(false))
        default: return try columnOrCall()
        }
    }

    private mutating func columnOrCall() throws -> Expression {
        let offset = peek()?.range.lowerBound ?? 0
        var names = [try name()]
        if isNext("("), peek(-1)?.kind != .text { return .function(try call(names[0])) }
        while names.count < 3, accept(".") { names.append(try name()) }
        return .column(table: names.dropLast().last, names[names.count - 1], offset: offset)
    }

    private mutating func cases() throws -> Expression {
        try expect("CASE")
        let base = isNext("WHEN") ? nil : try expression()
        var cases: [Expression.Case] = []
        while accept("WHEN") {
            let condition = try expression()
            try expect("THEN")
            cases.append(.init(condition: condition, result: try expression()))
        }
        let otherwise = accept("ELSE") ? try expression() : nil
        try expect("END")
        return .cases(base: base, cases, otherwise: otherwise)
    }

    /// Reads the name of a type up to the closing parenthesis: `VARCHAR(255)`.
    private mutating func typeName() -> String {
        var words: [String] = []
        while let token = peek(), !token.is(")") {
            if token.is("(") {
                skipParentheses()
            } else {
                words.append(token.text)
                position += 1
            }
        }
        return words.joined(separator: " ")
    }

    private mutating func skipParentheses() {
        var depth = 0
        repeat {
            if isNext("(") { depth += 1 }
            if isNext(")") { depth -= 1 }
            position += 1
        } while depth > 0 && !isAtEnd
    }

    /// Reads the arguments of a call, its filter and its window.
    private mutating func call(_ name: Identifier) throws -> FunctionCall {
        try expect("(")
        let isStar = accept("*")
        _ = accept("DISTINCT")
        var arguments: [Expression] = []
        if !isStar, !isNext(")") { arguments = try list { try $0.expression() } }
        // SQLite 3.44 orders the values of an aggregate.
        if accept("ORDER", "BY") { _ = try ordering() }
        try expect(")")
        var filter: Expression?
        if isNext("FILTER"), isNext("(", at: 1) {
            position += 1
            filter = try parenthesised { parser in
                try parser.expect("WHERE")
                return try parser.expression()
            }
        }
        var window: FunctionCall.Window?
        if accept("OVER") {
            window = isNext("(") ? .defined(try parenthesised { try $0.windowDefinition() }) : .named(try self.name())
        }
        return FunctionCall(name: name, arguments: arguments, isStar: isStar, filter: filter, window: window)
    }

    mutating func windowDefinition() throws -> WindowDefinition {
        var base: Identifier?
        if let token = peek(), token.canBeName, !["PARTITION", "RANGE", "ROWS", "GROUPS"].contains(token.keyword) {
            base = try name()
        }
        var expressions: [Expression] = []
        if accept("PARTITION", "BY") { expressions += try list { try $0.expression() } }
        if accept("ORDER", "BY") { expressions += try ordering() }
        let hasFrame = !isNext(")")
        // Frames have no names of columns.
        while let token = peek(), !token.is(")") {
            if token.is("(") { throw failure }
            position += 1
        }
        return WindowDefinition(base: base, expressions: expressions, hasFrame: hasFrame)
    }

    /// Reads the terms of an ORDER BY.
    mutating func ordering() throws -> [Expression] {
        try list { parser in
            let term = try parser.expression()
            if !parser.accept("ASC") { _ = parser.accept("DESC") }
            if parser.accept("NULLS"), !parser.accept("FIRST") { try parser.expect("LAST") }
            return term
        }
    }
}
