/// A type that a column of a declared table stores as it is: a ``Binding``, `[UInt8]`, or an optional of these, whose `nil` is
/// NULL.
///
/// A column stores any other type as JSON: `Column("tags", \User.tags, as: .json)`.
public typealias ColumnStorable = FunctionArgument & StatementParameter
