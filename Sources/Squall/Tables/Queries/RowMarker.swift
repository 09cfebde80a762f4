/// The columns that tell a row of NULLs from a missing row of an outer join.
enum RowMarker {
    /// The column that is 1 in the rows of a table, and NULL where an outer join has no matching row.
    static let name = "squall_row"
    /// The same among the columns of a common table expression. A row of that has it, also if it has no record.
    static let recordName = "squall_record"
}
