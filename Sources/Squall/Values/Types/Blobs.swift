#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// BLOB. TEXT that is not valid UTF-8 is also read as `Data`. See ``Bindable`` for the list of all value types.
extension Data: Binding {
    public typealias BindingType = Data

    public var bindingValue: BindingValue { .blob(self) }

    public func bind(to destination: BindingDestination) throws {
        guard count > ParameterArena.largestValue else { return try withUnsafeBytes { try destination.bind($0) } }
        // Large bytes are on the heap rather than in the value, and stay in place as long as the value is held.
        try withUnsafeBytes { try destination.bind($0, of: self) }
    }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> Data? { value.data }

    public static func fromBindingValue(_ value: Any) -> Data? { value as? Data }
}

/// The element of an array that is a BLOB: `UInt8`. No other type conforms to it.
///
/// With `Element == UInt8` in its place the compiler would infer the type of a literal from it: `[1, 2]`, a list of parameters,
/// and `[]`, an empty one, would become BLOBs.
@_documentation(visibility: internal)
public protocol BlobElement: BitwiseCopyable {}

extension UInt8: BlobElement {}

/// BLOB, like `Data`. Arrays of other elements are lists of parameters, and a query that returns `[UInt8]` returns a
/// number for each row.
extension Array: StatementParameter, Settable, Bindable, FunctionArgument, ColumnReadable where Element: BlobElement {
    public static var storageClass: Row.Column.DataType? { .blob }

    public var bindingValue: BindingValue { .blob(withUnsafeBytes { Data($0) }) }

    // Parameters and rows call these through their protocols: nothing else specialises them.

    @_specialize(where Element == UInt8)
    public func bind(to destination: BindingDestination) throws { try withUnsafeBytes { try destination.bind($0) } }

    @_specialize(where Element == UInt8)
    public static func fromSQLiteValue(_ value: SQLiteValue) -> [Element]? {
        // The element is always `UInt8`. A cast with `as?` takes ten times as long (2026-11-22).
        value.bytes.map { unsafeBitCast(Array<UInt8>($0), to: [Element].self) }
    }
}

/// BLOB of 16 bytes. TEXT in the usual notation with hyphens is read too.
extension UUID: Binding {
    public typealias BindingType = Any

    public static var declaredType: String { "BLOB" }

    public var bindingValue: BindingValue { .blob(withUnsafeBytes(of: uuid) { Data($0) }) }

    public func bind(to destination: BindingDestination) throws {
        try withUnsafeBytes(of: uuid) { try destination.bind($0) }
    }

    public static func fromBindingValue(_ value: Any) -> UUID? {
        switch value {
        case let value as Data where value.count == 16:
            value.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case let value as String:
            UUID(uuidString: value)
        default: nil
        }
    }
}
