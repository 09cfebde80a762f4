// How each shape of result is made of the rows of a statement, which the caller has reset.

extension QueryRows {
    @inlinable
    @inline(__always)
    init(_ statement: Statement) {
        self.init(source: statement)
    }

    /// The statement. `source` is always one: the initialiser above is the only one that is called.
    ///
    /// A checked cast made a query of one row execute 1.02× the instructions (callgrind, 2026-11-22). Debug builds check.
    @usableFromInline
    var statement: Statement {
        @inlinable @inline(__always) get { unsafeDowncast(source, to: Statement.self) }
    }
}

extension Fetchable {
    /// Makes a value from the next row.
    ///
    /// - Throws: ``ConversionError`` for no row, NULL, and a value that does not fit; ``SQLiteError``.
    @_documentation(visibility: internal)
    @inlinable
    public static func result(of rows: QueryRows) throws -> Self {
        let statement = rows.statement
        guard let row = try statement.nextRow() else { throw statement.noRowError(expected: Self.self) }
        guard let value = try element(of: row) else { throw statement.nullError(expected: Self.self) }
        return value
    }
}

extension Optional: QueryResult where Wrapped: Fetchable {
    /// Makes a value from the next row; `nil` when there is none, and for NULL.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public static func result(of rows: QueryRows) throws -> Wrapped? {
        guard let row = try rows.statement.nextRow() else { return nil }
        return try Wrapped.fetch(from: row)
    }
}

extension Array: QueryResult where Element: RowElement {
    /// Makes an element from each row.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public static func result(of rows: QueryRows) throws -> [Element] {
        let statement = rows.statement
        var elements: [Element] = []
        guard statement.isReadOnly else {
            try statement.forEachRow { row in
                if let element = try Element.element(of: row) { elements.append(element) }
            }
            return elements
        }
        // The loop of `forEachRow`, without a closure, which looks up the generic types for each row in a debug build.
        var row = Row(try statement.takeStorage())
        defer { statement.putBack(&row) }
        while try statement.advance(row.storage) {
            if let element = try Element.element(of: row) { elements.append(element) }
            try statement.replaceKeptStorage(of: &row)
        }
        return elements
    }
}

extension Set: QueryResult where Element: Fetchable {
    /// Makes an element from each row, without those whose value is NULL, unless the type has a value for it.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public static func result(of rows: QueryRows) throws -> Set<Element> {
        var elements: Set<Element> = []
        try rows.statement.forEachRow { row in
            if let element = try Element.element(of: row) { elements.insert(element) }
        }
        return elements
    }
}

extension Dictionary: QueryResult where Key: ColumnReadable, Value: FunctionArgument {
    /// Makes a pair from each row: the first column is the key, the second the value. Of equal keys the last wins.
    ///
    /// - Throws: ``ConversionError`` for NULL where it has no place, and for a value that does not fit; ``SQLiteError`` when
    ///   there are not two columns.
    @_documentation(visibility: internal)
    public static func result(of rows: QueryRows) throws -> [Key: Value] {
        let statement = rows.statement
        guard statement.columnCount == 2 else {
            throw SQLiteError.misuse(
                .notPairs(type: "\(Self.self)", columnCount: statement.columnCount),
                sql: statement.sql, hint: statement.pairsHint
            )
        }
        var elements: [Key: Value] = [:]
        try statement.forEachRow { row in
            elements.updateValue(try row.element(at: 1), forKey: try row.element(at: 0))
        }
        return elements
    }
}

extension Row {
    /// Returns the value of a column; `nil` for NULL in an optional.
    fileprivate func element<T: FunctionArgument>(at index: Int, as type: T.Type = T.self) throws -> T {
        let layout = storage.layout
        guard let value = sqliteValue(at: index), layout.names.indices.contains(index) else {
            throw ConversionError(.noSuchColumn, expected: "\(type)", columnIndex: index, sql: layout.sql)
        }
        do {
            return try T.fromArgument(value)
        } catch {
            throw conversionError(error, at: index)
        }
    }
}
