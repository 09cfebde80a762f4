// `query` for dictionaries with a closure, in SQift's rarer forms: with the dictionary built so far, beside a literal `nil` or a list of
// values, and of a statement.

extension Connection {
    /// Runs a query and returns a dictionary of the pairs that a closure makes from each row and the dictionary built so far.
    ///
    ///     let ranks: [String: Int] = try connection.query(
    ///         "SELECT name FROM cars ORDER BY price"
    ///     ) { found, row in
    ///         (try row.get("name"), found.count)
    ///     }
    ///
    /// - Throws: `SQLiteError`, and what the closure throws, which ends the query.
    public func query<Key: Hashable, Value, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        var elements: [Key: Value] = [:]
        try forEach(sql, repeat each parameters) { row in
            let (key, value) = try body(elements, row)
            elements[key] = value
        }
        return elements
    }

    /// Maps all rows to the pairs of a dictionary. Takes a literal `nil` among the values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(sql, ([first] + others).map { $0 ?? nil }, body: body)
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes a literal `nil` among the values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(sql, ([first] + others).map { $0 ?? nil }, body: body)
    }

    /// Maps all rows to the pairs of a dictionary. Takes a list of values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ list: some ParameterList, body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(sql, list) { (_: [Key: Value], row) in try body(row) }
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes a list of values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ list: some ParameterList, body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        var elements: [Key: Value] = [:]
        let _: [Void] = try query(sql, list.orNull) { row in
            let (key, value) = try body(elements, row)
            elements[key] = value
        }
        return elements
    }
}

extension Statement {
    /// Maps all rows to the pairs of a dictionary.
    public func query<Key: Hashable, Value>(_ body: (Row) throws -> (Key, Value)) throws -> [Key: Value] {
        try query { (_: [Key: Value], row) in try body(row) }
    }

    /// Maps all rows to pairs, given the dictionary so far.
    public func query<Key: Hashable, Value>(
        _ body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        var elements: [Key: Value] = [:]
        try forEach { row in
            let (key, value) = try body(elements, row)
            elements[key] = value
        }
        return elements
    }
}
