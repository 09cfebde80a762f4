/// A type that a column of a declared table stores without a named form: a ``Binding``, `[UInt8]`, `[Float]`, or an
/// optional of these, whose `nil` is NULL. An enum with raw values stores its raw value.
///
/// For any other type, name a form: `Column("tags", \User.tags, as: .json)`.
///
/// The two protocols are those of a value that is read from SQLite (also as the argument of a function) and of a value that is
/// bound to a statement.
public typealias ColumnStorable = FunctionArgument & StatementParameter
