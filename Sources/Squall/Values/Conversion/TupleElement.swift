/// The type of an element of a tuple, without `Optional`. It has no public members.
@_documentation(visibility: internal)
public struct TupleElement: Sendable {
    let type: any ColumnReadable.Type
    let isOptional: Bool

    /// Reads a value into uninitialised memory. After an error, the memory is still uninitialised.
    @inline(__always)
    func initialize(_ memory: UnsafeMutableRawPointer, from value: SQLiteValue) throws {
        try type.initialize(memory, from: value, isOptional: isOptional)
    }

    /// Destroys a value.
    func deinitialize(_ memory: UnsafeMutableRawPointer) { type.deinitialize(memory, isOptional: isOptional) }
}

extension ColumnReadable {
    // Called through the protocol, with the type of the value and not with that of the optional: Swift specialises it for each type
    // that conforms, and an optional type would be looked up in each row.
    @_documentation(visibility: internal)
    @inlinable
    public static func initialize(
        _ memory: UnsafeMutableRawPointer, from value: SQLiteValue, isOptional: Bool
    ) throws {
        guard let result = fromSQLiteValue(value) else {
            return try initializeFromOther(memory, from: value, isOptional: isOptional)
        }
        if isOptional {
            memory.initializeMemory(as: Self?.self, to: result)
        } else {
            memory.initializeMemory(as: Self.self, to: result)
        }
    }

    /// Reads NULL, or throws.
    @inlinable
    @inline(never)
    static func initializeFromOther(
        _ memory: UnsafeMutableRawPointer, from value: SQLiteValue, isOptional: Bool
    ) throws {
        if isOptional {
            memory.initializeMemory(as: Self?.self, to: try Self?.fromArgument(value))
        } else {
            memory.initializeMemory(as: Self.self, to: try fromArgument(value))
        }
    }

    fileprivate static func deinitialize(_ memory: UnsafeMutableRawPointer, isOptional: Bool) {
        if isOptional {
            memory.assumingMemoryBound(to: Self?.self).deinitialize(count: 1)
        } else {
            memory.assumingMemoryBound(to: Self.self).deinitialize(count: 1)
        }
    }
}
