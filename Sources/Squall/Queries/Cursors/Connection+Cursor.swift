extension Connection {
    /// Makes a cursor over the rows of a statement of the cache.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - list: The values of its parameters; empty when they were interpolated.
    ///   - columnCount: The number of columns that the rows must have; `nil` for any number.
    @usableFromInline
    func cursor(_ sql: SQL, _ list: some ParameterList, columnCount: Int? = nil) throws -> CursorCore {
        let values = list.listedValues
        try refuseValues(beside: sql, given: values.count)
        let entry = try borrow(sql)
        do {
            try entry.statement.bindForCursor(sql, values)
            if let columnCount { try entry.statement.requireColumns(columnCount) }
            return CursorCore(self, entry, columnCount: columnCount)
        } catch {
            self.return(entry)
            throw error
        }
    }

    /// Makes a cursor over the rows of SQL whose values were interpolated.
    @usableFromInline
    func cursor(_ sql: SQL) throws -> CursorCore {
        try cursor(sql, [])
    }
}

extension Statement {
    /// Binds values that outlive this call: large ones are copied, like those of a statement that the program has prepared.
    fileprivate func bindForCursor(_ sql: SQL, _ values: ListedValues) throws {
        let keepsLargeValues = arena?.pointee.keepsLargeValues ?? false
        arena?.pointee.keepsLargeValues = false
        defer { arena?.pointee.keepsLargeValues = keepsLargeValues }
        if sql.hasValues { try bind(sql) } else { try bind(values) }
    }
}
