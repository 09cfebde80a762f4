// Reading by queries, and by conditions on one table.

extension Connection {
    /// All rows of a query.
    ///
    ///     let page = try connection.all(User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 40))
    ///     let titles = try connection.all(User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) })
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    public func all<Output>(_ query: some Selection<Output>) throws -> [Output] {
        let select = query.select
        return try withStatement(select.sql) { statement in
            var result: [Output] = []
            try statement.forEachRow { result.append(try select.reader($0)) }
            return result
        }
    }

    /// All records: `SELECT … FROM "users"`, or those with a condition: `… WHERE …`.
    ///
    ///     let adults = try connection.all(User.self) { $0.age > 17 && $0.name == "Ada" }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func all<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> [Record] {
        try all(from: Record.table, where: condition)
    }

    /// All records of a table, or those with a condition: `all(from: points) { $0.x > 3 }`.
    @inlinable
    public func all<T: RecordTable>(
        from table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> [T.Record] {
        let core = table.core
        return try withStatement(try core.select(where: condition)) { try $0.readAll(core.reader) }
    }

    /// The first row of a query, or `nil` when there is none.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    public func first<Output>(_ query: some Selection<Output>) throws -> Output? {
        let select = query.select
        return try withStatement(select.sql) { try $0.nextRow().map(select.reader) }
    }

    /// The first record: `SELECT … FROM "users" WHERE … LIMIT 1`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func first<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Record? {
        try first(from: Record.table, where: condition)
    }

    /// The first record of a table.
    @inlinable
    public func first<T: RecordTable>(
        from table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil
    ) throws -> T.Record? {
        let core = table.core
        return try withStatement(core.select(where: condition) + " LIMIT 1") {
            try $0.nextRow().map(core.reader.read)
        }
    }

    /// Calls a function with each row of a query, one at a time, in constant memory.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``; what the function throws, which ends the query.
    public func forEach<Output>(_ query: some Selection<Output>, body: (Output) throws -> Void) throws {
        let select = query.select
        try withStatement(select.sql) { statement in
            try statement.forEachRow { try body(try select.reader($0)) }
        }
    }

    /// Calls a function with each record, one at a time, in constant memory.
    ///
    ///     try connection.forEach(User.self, where: { $0.age > 17 }) { user in … }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``; what the function throws, which ends the query.
    @inlinable
    public func forEach<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil,
        body: (Record) throws -> Void
    ) throws {
        try forEach(in: Record.table, where: condition, body: body)
    }

    /// Calls a function with each record of a table, one at a time, in constant memory.
    @inlinable
    public func forEach<T: RecordTable>(
        in table: T, where condition: ((Columns<T.Record>) -> Condition)? = nil, body: (T.Record) throws -> Void
    ) throws {
        let core = table.core
        try withStatement(try core.select(where: condition)) { statement in
            try statement.forEachRow { try body(try core.reader.read($0)) }
        }
    }
}

extension TableCore {
    /// `SELECT … FROM "users" WHERE …`
    @usableFromInline
    func select(where condition: ((Columns<Record>) -> Condition)?) throws -> SQL {
        try check()
        guard let condition else { return selectSQL }
        return selectWhereSQL + condition(source).sql
    }

    var source: Columns<Record> { Columns(core: self, alias: nil) }
}
