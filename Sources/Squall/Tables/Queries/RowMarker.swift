/// The columns that tell a row of NULLs from a missing row of an outer join.
enum RowMarker {
    /// The column that is 1 in the rows of a table, and NULL where an outer join has no matching row.
    static let name = "squall_row"
    /// The marker of a record among the columns of a common table expression: NULL in its rows without a record.
    static let recordName = "squall_record"
}
