// Functions in SQift's form, which unpack their arguments and make their results themselves.

extension Connection {
    /// Makes a result from the arguments of one call.
    public typealias ScalarFunction = (ScalarFunctionContext, [FunctionValue]) -> FunctionResult

    /// Adds a function to SQL. It replaces a function with the same name and number of arguments.
    ///
    /// With `addFunction`, arguments need not be unpacked, and calls are several times faster. Unlike those functions,
    /// functions of this form may be called by triggers, views and other parts of a trusted schema.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; negative for any number. SQLite prefers a function with the exact
    ///     number.
    ///   - deterministic: Whether the same arguments always give the same result.
    ///   - function: The closure that SQLite calls.
    /// - Throws: `SQLiteError`: `SQLITE_MISUSE` (21) for a name of more than 255 bytes or with a NUL character, and for
    ///   more than 127 arguments; `SQLITE_BUSY` (5) inside a function or a collation, and if the function replaces another
    ///   while a statement is running or is at a row.
    public func addScalarFunction(
        named name: String, argumentCount: Int8, deterministic: Bool = false, function: @escaping ScalarFunction
    ) throws {
        try addFunction(
            name, argumentCount: Int(argumentCount),
            flags: FunctionFlags(deterministic: deterministic, directOnly: false, innocuous: false),
            call: { call in
                let result = FunctionCallState.during { state in
                    function(
                        ScalarFunctionContext(call: call, state: state), FunctionValue.all(of: call, state)
                    )
                }
                try result.apply(to: call)
            }
        )
    }

    /// The context in which a function keeps objects from one call to the next.
    public final class ScalarFunctionContext {
        /// Objects that are kept with the arguments of a function as long as the arguments do not change: for
        /// constants, throughout the statement. A compiled regular expression, for instance, is kept with its pattern.
        public struct AuxilaryData {
            fileprivate let call: FunctionCall
            fileprivate let state: FunctionCallState

            /// The object of the argument at an index, from 0; `nil` after the call.
            public subscript(index: Int32) -> AnyObject? {
                get { state.isOver ? nil : call.auxiliaryObject(at: index) }
                nonmutating set {
                    if !state.isOver { call.setAuxiliaryObject(newValue, at: index) }
                }
            }
        }

        /// The objects kept with the arguments. The spelling is SQift's.
        public var auxilaryData: AuxilaryData

        fileprivate init(call: FunctionCall, state: FunctionCallState) {
            auxilaryData = AuxilaryData(call: call, state: state)
        }
    }
}
