extension SQL.StringInterpolation {
    /// Binds an array as a table of one column, `value`, with a row for each element: one parameter, and one text for every length.
    ///
    ///     try connection.query("SELECT * FROM cars WHERE id IN \(array: ids)")
    ///     let sql: SQL = "SELECT c.* FROM \(array: ids) AS key JOIN cars c ON c.id = key.value"
    ///
    /// It stands after `IN`, and in `FROM` and `JOIN`. The rowids are the positions of the elements, from 1. After `IN`, elements are
    /// compared as those of a list are; elsewhere the column has no affinity: a text is not equal to the number that it spells, unless
    /// the other side is a column of numbers.
    ///
    /// `\(in:)` makes a list, whose length is known when SQLite plans. The array is better for long lists, and for lists of many
    /// lengths.
    @inlinable
    public mutating func appendInterpolation<Element: Bindable>(array values: some Collection<Element>) {
        appendArray(count: values.count) { elements in
            for value in values { try elements.append(value.checkedBindingValue()) }
        }
    }

    /// Binds an array of optional elements, of which `nil` is NULL, as a table of one column, `value`.
    @inlinable
    public mutating func appendInterpolation<Element: Bindable>(array values: some Collection<Element?>) {
        appendArray(count: values.count) { elements in
            for value in values { try elements.append(value?.checkedBindingValue() ?? .null) }
        }
    }

    @usableFromInline
    mutating func appendArray(count: Int, _ copy: (inout ArrayElements) throws -> Void) {
        do {
            var elements = ArrayElements(reserving: count)
            try copy(&elements)
            let table = ArrayBox(elements)
            guard endsWithIN else { return appendTable("squall_array", table) }
            // The `+` removes the affinity of the values, so that only that of the other operand counts, as in a list.
            appendLiteral("(SELECT +value FROM ")
            appendTable("squall_array", table)
            appendLiteral(")")
        } catch {
            appendLiteral("squall_array(NULL)")
            fail(error)
        }
    }
}
