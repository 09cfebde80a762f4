import SquallSQLite

// Functions in SQift's form, which unpack their arguments and make their results themselves.

extension Connection {
    /// Makes a result of the arguments of one call.
    public typealias ScalarFunction = (ScalarFunctionContext, [FunctionValue]) -> FunctionResult

    /// Adds a function to SQL, in place of one with the same name and number of arguments.
    ///
    /// `addFunction` needs no unpacking, and is several times faster. Unlike that
    /// one's, functions of this form may be called by triggers, views and other parts of a schema that is trusted.
    ///
    /// - Parameters:
    ///   - argumentCount: The number of arguments; below 0 for any number. A function with the exact number goes before it.
    ///   - deterministic: The same arguments always give the same result.
    /// - Throws: ``SQLiteError``, code 21 for a name over 255 bytes, code 5 for a function that is to be replaced while a
    ///   statement is running, also one that stands on a row.
    public func addScalarFunction(
        named name: String, argumentCount: Int8, deterministic: Bool = false, function: @escaping ScalarFunction
    ) throws {
        try addFunction(
            name, argumentCount: Int(argumentCount),
            flags: FunctionFlags(deterministic: deterministic, directOnly: false, innocuous: false),
            call: { call in
                let result = FunctionCallState.during { state in
                    function(
                        ScalarFunctionContext(context: call.context, state: state), FunctionValue.all(of: call, state)
                    )
                }
                try result.apply(to: call)
            }
        )
    }

    /// What a function may keep from one call to the next.
    public final class ScalarFunctionContext {
        /// Objects that are kept with the arguments of a function, while these stay the same: for constants, throughout the
        /// statement. A compiled regular expression is kept with its pattern this way.
        public struct AuxilaryData {
            fileprivate let context: OpaquePointer
            fileprivate let state: FunctionCallState

            /// The object of the argument with this index, from 0. After the call there is none.
            public subscript(index: Int32) -> AnyObject? {
                get {
                    guard !state.isOver, index >= 0, let object = sqlite3_get_auxdata(context, index) else {
                        return nil
                    }
                    return Unmanaged<AuxilaryBox>.fromOpaque(object).takeUnretainedValue().object
                }
                nonmutating set {
                    guard !state.isOver, index >= 0 else { return }
                    guard let newValue else { return sqlite3_set_auxdata(context, index, nil, nil) }
                    let box = AuxilaryBox(object: newValue, callbacks: FunctionBox.of(context)?.callbacks)
                    sqlite3_set_auxdata(context, index, Unmanaged.passRetained(box).toOpaque()) {
                        if let box = $0 { Unmanaged<AuxilaryBox>.fromOpaque(box).release() }
                    }
                }
            }
        }

        /// The objects of the arguments. The spelling is SQift's.
        public var auxilaryData: AuxilaryData

        fileprivate init(context: OpaquePointer, state: FunctionCallState) {
            auxilaryData = AuxilaryData(context: context, state: state)
        }
    }
}

/// An object that is kept with an argument. SQLite lets go of it in the middle of a step, and its `deinit` may be the user's.
private final class AuxilaryBox {
    private(set) var object: AnyObject?
    private let callbacks: UnsafeMutablePointer<Callbacks>?

    init(object: AnyObject, callbacks: UnsafeMutablePointer<Callbacks>?) {
        self.object = object
        self.callbacks = callbacks
    }

    deinit {
        callbacks?.pointee.depth &+= 1
        object = nil
        callbacks?.pointee.depth &-= 1
    }
}
