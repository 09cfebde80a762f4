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

/// The element of an array that is a BLOB: `UInt8`, and `Float` for a vector. No other type conforms to it.
///
/// With `Element == UInt8` in its place the compiler would infer the type of a literal from it: `[1, 2]`, a list of parameters,
/// and `[]`, an empty one, would become BLOBs.
@_documentation(visibility: internal)
public protocol BlobElement: BitwiseCopyable, SendableMetatype {
    /// Reads the elements of a value; `nil` for a value that does not have them.
    static func elements(of value: SQLiteValue) -> [Self]?

    /// Returns the elements with the bytes of each in the order of the file, or, of those, the elements themselves.
    static func inStoredOrder(_ elements: [Self]) -> [Self]
}

extension UInt8: BlobElement {
    @_documentation(visibility: internal)
    public static func elements(of value: SQLiteValue) -> [UInt8]? { value.bytes.map { [UInt8]($0) } }

    @_documentation(visibility: internal)
    public static func inStoredOrder(_ elements: [UInt8]) -> [UInt8] { elements }
}

extension Float: BlobElement {
    @_documentation(visibility: internal)
    public static func elements(of value: SQLiteValue) -> [Float]? {
        guard value.dataType == .blob, let bytes = value.bytes else { return nil }
        let (count, rest) = bytes.count.quotientAndRemainder(dividingBy: MemoryLayout<Float>.size)
        guard rest == 0 else { return nil }
        let elements = [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            // The bytes in a page of the file are not aligned.
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            initializedCount = count
        }
        return inStoredOrder(elements)
    }

    @_documentation(visibility: internal)
    public static func inStoredOrder(_ elements: [Float]) -> [Float] {
        #if _endian(big)
            elements.map { Float(bitPattern: $0.bitPattern.littleEndian) }
        #else
            elements
        #endif
    }
}

/// BLOB. An array of `UInt8` is its bytes, like `Data`. An array of `Float` is a vector: four bytes for each number,
/// the lowest byte first, as in sqlite-vec.
///
/// Arrays of other elements are lists of parameters. A query that returns `[UInt8]` or `[Float]` returns a number for each row.
extension Array: StatementParameter, Settable, Bindable, FunctionArgument, ColumnReadable where Element: BlobElement {
    public static var storageClass: Row.Column.DataType? { .blob }

    public var bindingValue: BindingValue { .blob(Element.inStoredOrder(self).withUnsafeBytes { Data($0) }) }

    // Parameters and rows call these through their protocols: nothing else specialises them.

    @_specialize(where Element == UInt8)
    @_specialize(where Element == Float)
    public func bind(to destination: BindingDestination) throws {
        try Element.inStoredOrder(self).withUnsafeBytes { try destination.bind($0) }
    }

    @_specialize(where Element == UInt8)
    @_specialize(where Element == Float)
    public static func fromSQLiteValue(_ value: SQLiteValue) -> [Element]? { Element.elements(of: value) }
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
