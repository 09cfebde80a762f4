extension SQL.StringInterpolation {
    /// Binds an array as a table of one column, `value`, with a row for each element: one parameter, and one text for every length.
    ///
    ///     try connection.query("SELECT * FROM cars WHERE id IN \(array: ids)")
    ///     let sql: SQL = "SELECT c.* FROM \(array: ids) AS key JOIN cars c ON c.id = key.value"
    ///
    /// It stands after `IN`, and in `FROM` and `JOIN`. The rowids are the positions of the elements, from 1. The column has no affinity: a
    /// text is not equal to the number that it spells, unless the other side is a column of numbers.
    ///
    /// `\(in:)` makes a list, of which SQLite knows the length when it plans. The array is better for long lists, and for lists of many
    /// lengths.
    public mutating func appendInterpolation<Element: Bindable>(array values: some Collection<Element>) {
        appendArray { try ArrayBox(values) { try $0.checkedBindingValue() } }
    }

    /// Binds an array of optional elements, of which `nil` is NULL, as a table of one column, `value`.
    public mutating func appendInterpolation<Element: Bindable>(array values: some Collection<Element?>) {
        appendArray { try ArrayBox(values) { try $0?.checkedBindingValue() ?? .null } }
    }

    private mutating func appendArray(_ make: () throws -> ArrayBox) {
        do {
            appendTable("squall_array", try make())
        } catch {
            appendLiteral("squall_array(NULL)")
            fail(error)
        }
    }
}
