/// What a column of a declared table can have as it is: a ``Binding``, `[UInt8]`, or an optional one, whose `nil` is NULL.
///
/// Any other type goes into a column as JSON: `Column("tags", \User.tags, as: .json)`.
public typealias ColumnValue = FunctionArgument & StatementParameter
