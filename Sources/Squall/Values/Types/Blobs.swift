#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// BLOB. TEXT that is not valid UTF-8 is also read as `Data`.
extension Data: Binding {
    public typealias BindingType = Data

    public var bindingValue: BindingValue { .blob(self) }

    public func bind(to parameter: SQLiteParameter) throws {
        try withUnsafeBytes { bytes in
            if bytes.count > ParameterArena.largestValue {
                // Large bytes are on the heap rather than in the value, and stay in place as long as the value is held.
                try parameter.bind(bytes, of: self)
            } else {
                try parameter.bind(bytes)
            }
        }
    }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> Data? { value.data }

    public static func fromBindingValue(_ value: Any) -> Data? { value as? Data }
}

/// BLOB, like `Data`. Arrays of other elements are lists of parameters, and a query that returns `[UInt8]` returns a
/// number for each row.
extension [UInt8]: StatementParameter, Settable, Bindable, FunctionArgument, ColumnReadable {
    public static var storageClass: Row.Column.DataType? { .blob }

    public var bindingValue: BindingValue { .blob(Data(self)) }

    public func bind(to parameter: SQLiteParameter) throws { try withUnsafeBytes { try parameter.bind($0) } }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> [UInt8]? { value.bytes.map { Array($0) } }
}

/// BLOB of 16 bytes. TEXT in the usual notation with hyphens is read too.
extension UUID: Binding {
    public typealias BindingType = Any

    public static var declaredType: String { "BLOB" }

    public var bindingValue: BindingValue { .blob(withUnsafeBytes(of: uuid) { Data($0) }) }

    public func bind(to parameter: SQLiteParameter) throws {
        try withUnsafeBytes(of: uuid) { try parameter.bind($0) }
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
