// `query` for dictionaries with a closure, in SQift's rarer forms: beside a literal `nil` or a list of values, and of a statement.

extension Connection {
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
        let _: [Void] = try query(sql, list) { row in
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
