import Squall

extension Parser {
    /// Reads a statement. One of another kind than those that are analysed is skipped.
    mutating func statement() throws -> StatementSyntax {
        let with = try commonTables()
        if isNext("SELECT") || isNext("VALUES") { return .select(try select(with: with)) }
        if accept("INSERT") {
            if accept("OR") { position += 1 }
            return .insert(try insert(with))
        }
        if accept("REPLACE") { return .insert(try insert(with)) }
        if accept("UPDATE") {
            if accept("OR") { position += 1 }
            return .update(try update(with))
        }
        if accept("DELETE") { return .delete(try delete(with)) }
        guard with.isEmpty else { throw failure }
        position = tokens.count
        return .other
    }

    private mutating func target() throws -> (Identifier, alias: Identifier?) {
        var name = try name()
        if accept(".") { name = try self.name() }
        let alias = accept("AS") ? try self.name() : nil
        if accept("INDEXED", "BY") { _ = try self.name() } else { _ = accept("NOT", "INDEXED") }
        return (name, alias)
    }

    private mutating func insert(_ with: [CommonTableExpression]) throws -> Insert {
        try expect("INTO")
        let (table, alias) = try target()
        let columnsOffset = peek(-1)?.range.upperBound ?? 0
        let columns = isNext("(") ? try parenthesised { try $0.list { try $0.name() } } : []
        let source = accept("DEFAULT", "VALUES") ? nil : try select()
        var upserts: [Insert.Upsert] = []
        while accept("ON", "CONFLICT") { upserts.append(try upsert()) }
        return Insert(
            with: with, table: table, alias: alias, columns: columns, columnsOffset: columnsOffset, source: source,
            upserts: upserts,
            returning: try returning())
    }

    private mutating func upsert() throws -> Insert.Upsert {
        var conditions: [Expression] = []
        if isNext("(") {
            _ = try parenthesised { try $0.ordering() }
            if accept("WHERE") { conditions.append(try expression()) }
        }
        try expect("DO")
        if accept("NOTHING") { return .init(assignments: [], conditions: conditions) }
        try expect("UPDATE")
        try expect("SET")
        let assignments = try assignments()
        if accept("WHERE") { conditions.append(try expression()) }
        return .init(assignments: assignments, conditions: conditions)
    }

    private mutating func update(_ with: [CommonTableExpression]) throws -> Update {
        let (table, alias) = try target()
        try expect("SET")
        let assignments = try assignments()
        let from = accept("FROM") ? try tables() : nil
        let condition = accept("WHERE") ? try expression() : nil
        let returning = try returning()
        if accept("ORDER", "BY") { _ = try ordering() }
        return Update(
            with: with, table: table, alias: alias, assignments: assignments, from: from, condition: condition,
            limit: try limit(), returning: returning)
    }

    private mutating func delete(_ with: [CommonTableExpression]) throws -> Delete {
        try expect("FROM")
        let (table, alias) = try target()
        let condition = accept("WHERE") ? try expression() : nil
        let returning = try returning()
        if accept("ORDER", "BY") { _ = try ordering() }
        return Delete(
            with: with, table: table, alias: alias, condition: condition, limit: try limit(), returning: returning)
    }

    private mutating func assignments() throws -> [Assignment] {
        try list { parser in
            let columns =
                parser.isNext("(")
                ? try parser.parenthesised { try $0.list { try $0.name() } } : [try parser.name()]
            try parser.expect("=")
            return Assignment(columns: columns, value: try parser.expression())
        }
    }

    private mutating func returning() throws -> [ResultItem] {
        accept("RETURNING") ? try resultItems() : []
    }
}

extension Parser {
    /// Returns the SELECT of a `CREATE VIEW`.
    static func view(_ sql: String) throws -> Select {
        var parser = Parser(SQLTokenizer.tokens(of: sql))
        while !parser.isAtEnd, !parser.isNext("AS") { parser.position += 1 }
        try parser.expect("AS")
        return try parser.select()
    }
}
