import SquallSQLite

/// One call of a function by SQLite. It is valid only during that call.
@frozen
@usableFromInline
package struct FunctionCall {
    @usableFromInline package let context: OpaquePointer
    @usableFromInline package let count: Int
    @usableFromInline package let values: UnsafeMutablePointer<OpaquePointer?>?

    @inlinable
    package init(context: OpaquePointer, count: Int, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.count = count
        self.values = values
    }

    /// The destination of the result.
    @inlinable
    package var result: BindingDestination { BindingDestination(resultOf: context) }

    /// Returns the argument at an index, and advances the index. SQLite passes as many arguments as the function was added with.
    @inlinable
    package func next(_ index: inout Int) -> SQLiteValue {
        defer { index &+= 1 }
        return SQLiteValue(values.unsafelyUnwrapped[index].unsafelyUnwrapped)
    }

    /// Returns all arguments.
    @inlinable
    func all<A: FunctionArgument>(as type: [A].Type) throws -> [A] {
        var index = 0
        var arguments: [A] = []
        arguments.reserveCapacity(count)
        while index < count { arguments.append(try A.fromArgument(next(&index))) }
        return arguments
    }

}

extension ArgumentError {
    /// Returns the number of the argument, from 1.
    package func number(among values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) -> Int {
        let index = (0..<count).first { UInt(bitPattern: values?[$0]) == address }
        return (index ?? 0) + 1
    }

    /// Returns the error of the statement.
    package func located(in function: String, number: Int) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "\(function)(), argument \(number): \(reason)")
    }
}

extension FunctionCall {
    /// Makes the statement fail.
    package func fail(_ message: String, code: Int32) {
        var message = message
        message.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_error(context, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
        sqlite3_result_error_code(context, ThrownError.errorCode(code))
    }
}

/// The reason why a function, a collation or a module is not added.
public enum FunctionProblem: SQLiteProblem {
    /// Thrown when a function is added whose name has more than 255 bytes.
    case nameTooLong(byteCount: Int)
    /// Thrown when a function is added with more than 127 arguments, which only a closure with as many parameters does.
    @_documentation(visibility: internal)
    case tooManyArguments(count: Int)
    /// Thrown when a function or a collation is added or removed while one of the connection is running. The
    /// code is `SQLITE_BUSY` (5).
    case changedDuringCall(name: String)
}

extension FunctionProblem {
    public var code: ResultCode {
        switch self {
        case .nameTooLong, .tooManyArguments: .misuse
        case .changedDuringCall: .busy
        }
    }

    public var message: String {
        switch self {
        case .nameTooLong(let count): "the name of a function has at most 255 bytes, not \(count)"
        case .tooManyArguments(let count): "a function has at most 127 arguments, not \(count)"
        case .changedDuringCall(let name):
            "functions, collations and modules cannot be changed while one is running: \(name)"
        }
    }
}
