import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A function as SQLite keeps it: given back at each call, released when the function is removed, replaced, or goes with
/// its connection.
@usableFromInline
final class FunctionBox {
    // Not generic: the closures are made where the function is added, for its very types. A method of a generic class would
    // ask for them at each call.
    @usableFromInline typealias Body = (FunctionCall) throws -> Void

    let name: String
    let callbacks: UnsafeMutablePointer<Callbacks>
    /// The function, or the step of an aggregate.
    private let call: Body
    private let final: Body?
    private let value: Body?
    private let inverse: Body?

    init(
        name: String, callbacks: UnsafeMutablePointer<Callbacks>, call: @escaping Body, final: Body?, value: Body?,
        inverse: Body?
    ) {
        self.name = name
        self.callbacks = callbacks
        self.call = call
        self.final = final
        self.value = value
        self.inverse = inverse
    }

    /// The function that SQLite is calling.
    static func of(_ context: OpaquePointer) -> FunctionBox? {
        sqlite3_user_data(context).map { Unmanaged<FunctionBox>.fromOpaque($0).takeUnretainedValue() }
    }

    @inline(__always)
    fileprivate func runCall(_ arguments: FunctionCall) { run(call, arguments) }

    @inline(__always)
    fileprivate func runInverse(_ arguments: FunctionCall) { if let inverse { run(inverse, arguments) } }

    @inline(__always)
    fileprivate func runValue(_ arguments: FunctionCall) { if let value { run(value, arguments) } }

    @inline(__always)
    fileprivate func runFinal(_ arguments: FunctionCall) { if let final { run(final, arguments) } }

    @inline(__always)
    private func run(_ body: Body, _ call: FunctionCall) {
        callbacks.pointee.depth &+= 1
        do {
            if callbacks.pointee.depth > Callbacks.deepest { throw SQLiteError.nestingError(name) }
            try body(call)
            if callbacks.pointee.isConnectionClosed { reportClosed(to: call) }
        } catch {
            report(error, to: call)
        }
        callbacks.pointee.depth &-= 1
    }

    @inline(never)
    private func reportClosed(to call: FunctionCall) {
        report(SQLiteError.connectionIsClosed(), to: call)
    }

    @inline(never)
    private func report(_ error: any Error, to call: FunctionCall) {
        switch error {
        case let error as ArgumentError:
            call.fail("\(name)(), argument \(call.number(of: error)): \(error.reason)", code: SQLITE_MISMATCH)
        case let error as SQLiteError: call.fail(error.message, code: error.extendedCode)
        case let error as any LocalizedError: call.fail(error.errorDescription ?? "\(error)", code: SQLITE_ERROR)
        default: call.fail("\(error)", code: SQLITE_ERROR)
        }
    }
}

extension SQLiteError {
    @inline(never)
    fileprivate static func nestingError(_ name: String) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: "\(name)() is called from within itself too often")
    }
}

// What SQLite calls. A reference to the box is not counted: SQLite lets go of no function while a statement runs.

private typealias Values = UnsafeMutablePointer<OpaquePointer?>

@inline(__always)
private func withBox(_ context: OpaquePointer?, _ body: (FunctionBox, OpaquePointer) -> Void) {
    guard let context, let box = sqlite3_user_data(context) else { return }
    Unmanaged<FunctionBox>.fromOpaque(box)._withUnsafeGuaranteedRef { body($0, context) }
}

private func callFunction(_ context: OpaquePointer?, _ count: Int32, _ values: Values?) {
    withBox(context) { $0.runCall(FunctionCall(context: $1, count: Int(count), values: values)) }
}

private func callInverse(_ context: OpaquePointer?, _ count: Int32, _ values: Values?) {
    withBox(context) { $0.runInverse(FunctionCall(context: $1, count: Int(count), values: values)) }
}

private func callValue(_ context: OpaquePointer?) {
    withBox(context) { $0.runValue(FunctionCall(context: $1, count: 0, values: nil)) }
}

private func callFinal(_ context: OpaquePointer?) {
    withBox(context) { $0.runFinal(FunctionCall(context: $1, count: 0, values: nil)) }
}

private func release(_ box: UnsafeMutableRawPointer?) {
    if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() }
}

/// What SQLite may take for granted of a function, and where it may be called.
@usableFromInline
struct FunctionFlags {
    let rawValue: Int32

    @usableFromInline
    init(deterministic: Bool, directOnly: Bool, innocuous: Bool) {
        var flags = SQLITE_UTF8
        if deterministic { flags |= SQLITE_DETERMINISTIC }
        if innocuous { flags |= SQLITE_INNOCUOUS } else if directOnly { flags |= SQLITE_DIRECTONLY }
        rawValue = flags
    }
}

extension Connection {
    /// Adds a scalar function, an aggregate when there is a `final`, or a window function when there are all four.
    @usableFromInline
    func addFunction(
        _ name: String, argumentCount: Int, flags: FunctionFlags, call: @escaping FunctionBox.Body,
        final: FunctionBox.Body? = nil, value: FunctionBox.Body? = nil, inverse: FunctionBox.Body? = nil
    ) throws {
        // SQLite answers these two with MISUSE, and the message of an earlier error.
        guard name.utf8.count <= 255 else {
            throw SQLiteError.misuse(.limit("the name of a function has at most 255 bytes, not \(name.utf8.count)"))
        }
        guard argumentCount <= 127 else {
            throw SQLiteError.misuse(.limit("a function has at most 127 arguments, not \(argumentCount)"))
        }
        let made = FunctionBox(
            name: name, callbacks: callbacks, call: call, final: final, value: value, inverse: inverse)
        let (count, flags) = (Int32(Swift.max(-1, argumentCount)), flags.rawValue)
        try change(name, "function") { handle in
            // SQLite releases the box itself when it does not take it.
            let box = Unmanaged.passRetained(made).toOpaque()
            return if final == nil {
                sqlite3_create_function_v2(handle, name, count, flags, box, callFunction, nil, nil, release)
            } else if value == nil {
                sqlite3_create_function_v2(handle, name, count, flags, box, nil, callFunction, callFinal, release)
            } else {
                sqlite3_create_window_function(
                    handle, name, count, flags, box, callFunction, callFinal, callValue, callInverse, release
                )
            }
        }
    }

    /// Removes a function, an aggregate or a window function. One that is not there is no error. (SQLite then has none for
    /// that number of arguments, also where there is another for any number.)
    ///
    /// - Parameter argumentCount: The number of arguments that it was added with; below 0 for any number.
    /// - Throws: ``SQLiteError``, code 5 while a statement is running, also one that stands on a row.
    public func removeFunction(named name: String, argumentCount: Int8) throws {
        let count = Int32(Swift.max(-1, argumentCount))
        try change(name, "function") {
            sqlite3_create_function_v2($0, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
        }
    }

    /// Adds or removes a function or a collation. What it replaces goes with it, whose `deinit` may be the user's: a close
    /// of the connection is put off until SQLite has returned.
    func change(_ name: String, _ kind: String, _ body: (OpaquePointer) -> Int32) throws {
        guard let handle else { throw closedError() }
        guard callbacks.pointee.depth == 0 else {
            throw SQLiteError(
                code: SQLITE_BUSY, message: "functions and collations cannot be changed while one is running: \(name)"
            )
        }
        guard !name.utf8.contains(0) else {
            throw SQLiteError.misuse(.nulCharacter(in: "the name of a \(kind)"))
        }
        callbacks.pointee.depth &+= 1
        let code = body(handle)
        let error = code == SQLITE_OK ? nil : SQLiteError(code, on: handle)
        callbacks.pointee.depth &-= 1
        if callbacks.pointee.isConnectionClosed { finishClosing() }
        if let error { throw error }
    }
}
