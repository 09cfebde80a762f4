import Squall

extension Parser {
    /// Whether a SELECT is next.
    var startsSelect: Bool { isNext("SELECT") || isNext("VALUES") || isNext("WITH") }

    mutating func select() throws -> Select {
        try select(with: commonTables())
    }

    mutating func select(with: [CommonTableExpression]) throws -> Select {
        var (arms, operators) = ([try arm()], [Select.Operator]())
        while let token = peek(), token.kind == .word, let next = Select.Operator(rawValue: token.keyword) {
            position += 1
            _ = accept("ALL")
            operators.append(next)
            arms.append(try arm())
        }
        let order = accept("ORDER", "BY") ? try ordering() : []
        return Select(with: with, arms: arms, operators: operators, order: order, limit: try limit())
    }

    mutating func limit() throws -> [Expression] {
        guard accept("LIMIT") else { return [] }
        var limit = [try expression()]
        if accept("OFFSET") || accept(",") { limit.append(try expression()) }
        return limit
    }

    mutating func commonTables() throws -> [CommonTableExpression] {
        guard accept("WITH") else { return [] }
        _ = accept("RECURSIVE")
        return try list { parser in
            let name = try parser.name()
            let columns = parser.isNext("(") ? try parser.parenthesised { try $0.list { try $0.name() } } : []
            try parser.expect("AS")
            _ = parser.accept("NOT")
            _ = parser.accept("MATERIALIZED")
            let statement = try parser.parenthesised { try $0.nested { try $0.statement() } }
            return CommonTableExpression(name: name, columns: columns, statement: statement)
        }
    }

    private mutating func arm() throws -> Select.Arm {
        if accept("VALUES") {
            return .values(
                try list { try $0.parenthesised { try $0.list { try $0.expression() } } })
        }
        try expect("SELECT")
        if !accept("DISTINCT") { _ = accept("ALL") }
        var core = SelectCore()
        core.columns = try resultItems()
        if accept("FROM") { core.from = try tables() }
        if accept("WHERE") { core.condition = try expression() }
        if accept("GROUP", "BY") { core.group = try list { try $0.expression() } }
        if accept("HAVING") { core.having = try expression() }
        if accept("WINDOW") {
            for (name, definition) in try list({ parser in
                let name = try parser.name()
                try parser.expect("AS")
                return (name, try parser.parenthesised { try $0.windowDefinition() })
            }) { core.windows[name] = definition }
        }
        return .select(core)
    }

    mutating func resultItems() throws -> [ResultItem] {
        try list { parser in
            let start = parser.peek()?.range.lowerBound ?? 0
            if parser.isNext("*") {
                parser.position += 1
                return .all(of: nil, range: start..<start + 1)
            }
            if parser.peek()?.canBeName == true, parser.isNext(".", at: 1), parser.isNext("*", at: 2) {
                let name = try parser.name()
                parser.position += 2
                return .all(of: name, range: start..<(parser.peek(-1)?.range.upperBound ?? start))
            }
            let (expression, alias) = (try parser.expression(), try parser.alias())
            let end = parser.peek(-1)?.range.upperBound ?? start
            return .expression(expression, alias: alias, range: start..<end)
        }
    }
}

// MARK: - Tables

extension Parser {
    mutating func tables() throws -> TableExpression {
        var left = try table()
        while let (kind, isNatural) = try join() {
            let right = try table()
            var constraint: TableExpression.JoinConstraint = isNatural ? .natural : .none
            if accept("ON") {
                constraint = .on(try expression())
            } else if accept("USING") {
                constraint = .using(try parenthesised { try $0.list { try $0.name() } })
            }
            left = .join(left, kind, right, constraint)
        }
        return left
    }

    /// Reads the operator of a join; `nil` if there is none.
    private mutating func join() throws -> (TableExpression.JoinKind, isNatural: Bool)? {
        if accept(",") { return (.inner, false) }
        var (words, distance) = (Set<String>(), 0)
        while let word = peek(distance), word.kind == .word,
            ["NATURAL", "LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS"].contains(word.keyword)
        {
            words.insert(word.keyword)
            distance += 1
        }
        guard isNext("JOIN", at: distance) else { return nil }
        position += distance + 1
        let kind: TableExpression.JoinKind =
            switch (words.contains("LEFT"), words.contains("RIGHT"), words.contains("FULL")) {
            case (_, _, true), (true, true, _): .full
            case (true, _, _): .left
            case (_, true, _): .right
            // OUTER alone is not a join that SQLite has.
            default: .inner
            }
        return (kind, words.contains("NATURAL"))
    }

    private mutating func table() throws -> TableExpression {
        if isNext("(") {
            position += 1
            if startsSelect {
                let select = try nested { try $0.select() }
                try expect(")")
                return .subquery(select, alias: try alias())
            }
            let inner = try nested { try $0.tables() }
            try expect(")")
            // An alias of a join in parentheses has no use that SQLite documents.
            if try alias() != nil { throw failure }
            return inner
        }
        var (schema, name) = (Identifier?.none, try name())
        if accept(".") { (schema, name) = (name, try self.name()) }
        if isNext("(") {
            let arguments = try parenthesised { try $0.isNext(")") ? [] : $0.list { try $0.tableArgument() } }
            return .function(name, arguments, alias: try alias())
        }
        let alias = try alias()
        if accept("INDEXED", "BY") { _ = try self.name() } else { _ = accept("NOT", "INDEXED") }
        return .table(schema: schema, name, alias: alias)
    }

    private mutating func tableArgument() throws -> Expression {
        // A list is an argument of `squall_array`.
        if let token = peek(), token.kind == .list { throw failure }
        return try expression()
    }
}
