/// A type that a Swift function called by SQLite can take as an argument: a ``ColumnReadable``, or an optional one for
/// which NULL is `nil`.
public protocol FunctionArgument: SendableMetatype {
    /// Reads an argument.
    ///
    /// - Throws: ``ArgumentError`` if the value does not fit.
    static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Self

    /// The type as an element of a tuple that a row becomes.
    @_documentation(visibility: internal)
    static var tupleElement: TupleElement { get }
}

/// An argument that does not fit the function's parameter.
public struct ArgumentError: Error {
    /// The conversion error, which holds what was expected and what was found.
    public let reason: ConversionError

    /// The argument's address. The position is derived from it only when an error is reported, so that a call need not
    /// count its arguments.
    let address: UInt
}

extension ColumnReadable {
    /// Reads an argument.
    ///
    /// - Throws: ``ArgumentError`` for NULL, and for a value that does not fit.
    @inlinable
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Self {
        if let result = fromSQLiteValue(value) { return result }
        throw value.argumentError(expecting: Self.self)
    }

    @_documentation(visibility: internal)
    public static var tupleElement: TupleElement { TupleElement(type: Self.self, isOptional: false) }
}

extension Optional: FunctionArgument where Wrapped: ColumnReadable {
    /// Reads an argument; `nil` for NULL.
    ///
    /// - Throws: ``ArgumentError`` for a value that does not fit.
    @inlinable
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> Wrapped? {
        if let result = Wrapped.fromSQLiteValue(value) { return result }
        if value.isNull { return nil }
        throw value.argumentError(expecting: Wrapped.self)
    }

    @_documentation(visibility: internal)
    public static var tupleElement: TupleElement { TupleElement(type: Wrapped.self, isOptional: true) }
}

extension BindingValue {
    /// Takes every value, and never throws; NULL is the case `null`.
    public static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> BindingValue { value.bindingValue }
}

extension SQLiteValue {
    @usableFromInline
    package func argumentError<T: ColumnReadable>(expecting type: T.Type) -> ArgumentError {
        ArgumentError(
            reason: ConversionError(self, expected: type, columnIndex: nil, columnName: nil, sql: nil),
            address: UInt(bitPattern: pointer)
        )
    }
}
