// `rows` for every type that a row becomes. Each has two forms, for two ways to give values to the parameters: one after the other,
// or as a list. Values are boxed here once for a query, and not for a row.

extension Connection {
    /// Begins a query and returns a cursor over its rows as tuples.
    ///
    ///     var rows = try connection.rows(
    ///         "SELECT name, price FROM cars WHERE price > ?", 20_000, as: (String, Int?).self)
    ///     while let (name, price) = try rows.next() { print(name, price ?? 0) }
    ///
    /// - Parameters:
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    ///   - types: The types of the columns.
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, for a wrong number of values, and
    ///   when there is not one column for each type.
    @inlinable
    public func rows<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ parameters: (any Bindable)??...,
        as types: (First, Second, repeat each Value).Type
    ) throws -> RowCursor<(First, Second, repeat each Value)> {
        try tupleRows(sql, parameters.flattened, types)
    }

    /// Begins a query with a list of values, in order or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    @_documentation(visibility: internal)
    @inlinable
    public func rows<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ list: some ParameterList,
        as types: (First, Second, repeat each Value).Type
    ) throws -> RowCursor<(First, Second, repeat each Value)> {
        try tupleRows(sql, list, types)
    }

    /// Begins a query and returns a cursor over its values, or over the records that its rows become.
    ///
    ///     var names = try connection.rows("SELECT name FROM cars", as: String.self)
    ///     while let name = try names.next() { print(name) }
    ///
    /// Rows whose value is NULL are left out, unless the type is optional.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    public func rows<T: RowElement>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as type: T.Type
    ) throws -> RowCursor<T> {
        RowCursor(try cursor(sql, parameters.flattened)) { try T.element(of: $0) }
    }

    /// Begins a query with a list of values, in order or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    @_documentation(visibility: internal)
    public func rows<T: RowElement>(
        _ sql: SQL, _ list: some ParameterList, as type: T.Type
    ) throws -> RowCursor<T> {
        RowCursor(try cursor(sql, list)) { try T.element(of: $0) }
    }

    /// Begins a query and returns a cursor over its rows as a `Decodable`, by the names of the columns.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    @_disfavoredOverload
    public func rows<T: Decodable>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as type: T.Type,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> RowCursor<T> {
        RowCursor(try cursor(sql, parameters.flattened)) { try $0.decode(userInfo: userInfo) as T }
    }

    /// Begins a query with a list of values, in order or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public func rows<T: Decodable>(
        _ sql: SQL, _ list: some ParameterList, as type: T.Type,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> RowCursor<T> {
        RowCursor(try cursor(sql, list)) { try $0.decode(userInfo: userInfo) as T }
    }

    /// Begins a query and returns a cursor over its rows. A row that is kept copies its values.
    ///
    ///     var rows = try connection.rows("SELECT * FROM cars")
    ///     while let row = try rows.next() { print(row) }
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    public func rows(
        _ sql: SQL, _ parameters: (any Bindable)??..., as type: Row.Type = Row.self
    ) throws -> RowCursor<Row> {
        RowCursor(try cursor(sql, parameters.flattened)) { $0 }
    }

    /// Begins a query with a list of values, in order or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of values.
    @_documentation(visibility: internal)
    public func rows(
        _ sql: SQL, _ list: some ParameterList, as type: Row.Type = Row.self
    ) throws -> RowCursor<Row> {
        RowCursor(try cursor(sql, list)) { $0 }
    }

    /// Takes the types of a tuple as one pack: Swift 6.3.1 cannot expand a tuple of fixed elements and a pack.
    @inlinable
    func tupleRows<each Value: FunctionArgument>(
        _ sql: SQL, _ list: some ParameterList, _ types: (repeat each Value).Type
    ) throws -> RowCursor<(repeat each Value)> {
        let layout = TupleLayout(repeat (each Value).self)
        return RowCursor(try cursor(sql, list, columnCount: layout.count)) { row in
            try layout.read(row, as: (repeat each Value).self)
        }
    }
}
