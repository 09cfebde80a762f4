import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// The result of a function in SQift's form.
    public enum FunctionResult {
        case null
        case integer(Int32)
        case long(Int64)
        /// A REAL; NaN becomes NULL.
        case double(Double)
        case text(String)
        /// TEXT, in the form of `bindingDateFormatter`.
        case date(Date)
        case data(Data)
        /// A BLOB of this number of zero bytes.
        case zeroData(UInt64)
        /// Makes the statement fail, with `SQLITE_ERROR` (1) if `code` is `nil`.
        case error(message: String, code: Int32?)

        func apply(to call: FunctionCall) throws {
            switch self {
            case .null: sqlite3_result_null(call.context)
            case .integer(let value): sqlite3_result_int(call.context, value)
            case .long(let value): sqlite3_result_int64(call.context, value)
            case .double(let value): try value.bind(to: call.result)
            case .text(let text): try text.bind(to: call.result)
            case .date(let date): try date.bind(to: call.result)
            case .data(let data): try data.bind(to: call.result)
            case .zeroData(let count):
                let code = sqlite3_result_zeroblob64(call.context, count)
                if code == SQLITE_TOOBIG { sqlite3_result_error_toobig(call.context) }
            case .error(let message, let code): call.fail(message, code: code ?? SQLITE_ERROR)
            }
        }
    }
}
