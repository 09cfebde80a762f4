/// What an argument of a function that is written in Swift can be: a ``ColumnReadable``, or an optional one, whose `nil` is
/// NULL.
public protocol FunctionArgument: SendableMetatype {
    /// Reads an argument.
    ///
    /// - Throws: ``ArgumentError`` for a value that does not fit.
    static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Self
}

/// An argument that is not what the function takes.
public struct ArgumentError: Error {
    /// What was expected and what was found.
    public let reason: ConversionError

    /// The address of the value, by which the number of the argument is found: to count along would cost every call.
    let address: UInt
}

extension ColumnReadable {
    @inlinable
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Self {
        if let result = fromSQLiteValue(value) { return result }
        throw value.isNoArgument(of: Self.self)
    }
}

extension Optional: FunctionArgument where Wrapped: ColumnReadable {
    @inlinable
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Wrapped? {
        if let result = Wrapped.fromSQLiteValue(value) { return result }
        if value.isNull { return nil }
        throw value.isNoArgument(of: Wrapped.self)
    }
}

extension BindingValue {
    /// Takes NULL as well, which has a case here.
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> BindingValue { value.bindingValue }
}

extension SQLiteValue {
    @usableFromInline
    func isNoArgument<T: ColumnReadable>(of type: T.Type) -> ArgumentError {
        ArgumentError(
            reason: ConversionError(self, expected: type, columnIndex: nil, columnName: nil, sql: nil),
            address: UInt(bitPattern: pointer)
        )
    }
}
