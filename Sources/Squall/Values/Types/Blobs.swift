#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// BLOB. Also reads TEXT that is no valid UTF-8, which has no other form.
extension Data: Binding {
    public typealias BindingType = Data

    public var bindingValue: BindingValue { .blob(self) }

    public func bind(to parameter: SQLiteParameter) throws {
        try withUnsafeBytes { bytes in
            if bytes.count > ParameterArena.largestValue {
                // Not in the value itself but on the heap, where they stay as they are while anybody has the value.
                try parameter.bind(bytes, of: self)
            } else {
                try parameter.bind(bytes)
            }
        }
    }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> Data? { value.data }

    public static func fromBindingValue(_ value: Any) -> Data? { value as? Data }
}

/// BLOB, as `Data`. An array of anything else is a list of parameters, and `-> [UInt8]` from a query is a number a row.
extension [UInt8]: StatementParameter, Settable, Bindable, FunctionArgument, ColumnReadable {
    public static var storageClass: Row.Column.DataType? { .blob }

    public var bindingValue: BindingValue { .blob(Data(self)) }

    public func bind(to parameter: SQLiteParameter) throws { try withUnsafeBytes { try parameter.bind($0) } }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> [UInt8]? { value.bytes.map { Array($0) } }
}

/// BLOB of 16 bytes. Also reads TEXT in the usual notation with hyphens.
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
