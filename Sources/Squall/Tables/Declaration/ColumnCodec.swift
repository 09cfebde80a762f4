/// Binds the values of a column to parameters, and reads them from rows.
@usableFromInline
final class ColumnCodec<Value>: AnyColumnCodec {
    @usableFromInline let read: @Sendable (SQLiteValue) throws(ArgumentError) -> Value
    @usableFromInline let bind: @Sendable (Value, BindingDestination) throws -> Void
    @usableFromInline let isPlain: Bool

    @usableFromInline
    init(
        isPlain: Bool = false,
        read: @escaping @Sendable (SQLiteValue) throws(ArgumentError) -> Value,
        bind: @escaping @Sendable (Value, BindingDestination) throws -> Void
    ) {
        self.isPlain = isPlain
        self.read = read
        self.bind = bind
    }
}

/// A ``ColumnCodec`` without the type of its values.
@usableFromInline
protocol AnyColumnCodec: AnyObject, Sendable {
    /// Whether values are stored as their type stores them, and not in a form of the column. Only then may they be read by their type
    /// alone.
    var isPlain: Bool { get }
}

extension ColumnCodec where Value: ColumnStorable {
    /// Returns the codec of a type that is stored as it is.
    @inlinable
    static func plain() -> ColumnCodec {
        ColumnCodec(
            isPlain: true,
            read: { (value) throws(ArgumentError) in try Value.fromArgument(value) },
            bind: { value, destination in try value.bindOrNull(to: destination) }
        )
    }
}
