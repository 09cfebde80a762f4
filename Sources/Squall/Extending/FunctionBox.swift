import SquallSQLite

// # Extending
//
// Functions, aggregates and collations that are written in Swift, and extensions from libraries.
//
//     try connection.addFunction("half", deterministic: true) { (number: Double) in number / 2 }
//     try connection.addCollation("backwards") { (left: String, right: String) in
//         left == right ? .orderedSame : left < right ? .orderedDescending : .orderedAscending
//     }
//     let halves: [Double] = try connection.query("SELECT half(price) FROM cars ORDER BY name COLLATE backwards")
//
// SQLite owns what is added: a `FunctionBox` or a `CollationBox`, each a `KeptObject`. It releases the box when the
// function is replaced or removed, or the connection closed. `FunctionCall` is a call, `AggregateMemory` a group.
//
// A call of a function runs so:
// 1. SQLite calls a C function of this file with the box as its user data, which is used without a retain.
// 2. `FunctionBox.run` counts the call in `Callbacks.depth`, and refuses it beyond a depth of 50.
// 3. The closure reads its arguments and binds its result. It was compiled for its types where the function was added.
// 4. An error makes the statement fail, with its message and its code (`ThrownError`).
//
// Invariants: Functions and collations are not added or removed while SQLite calls code of the user. A function may use
// its connection, but neither step the statement that calls it nor close the connection. A collation of `String`s may
// use it too; one of bytes may not. A collation cannot fail: beyond the depth it compares bytes. After the addition of
// a function that is not innocuous, `forgetSchema()` makes SQLite read the schema again, outside a transaction. SQLite
// then checks which definitions may call the function. SQL cannot load an extension.

/// The box that SQLite keeps for a function. SQLite passes it to each call, and releases it when the function is
/// removed or replaced, or its connection closed.
@usableFromInline
package final class FunctionBox: KeptObject {
    // The class is not generic. The closures are made where the function is added, for its exact types. In a
    // generic class, each call would look up the metadata of these types.
    @usableFromInline package typealias Body = (FunctionCall) throws -> Void

    let name: String
    /// The function, or the step of an aggregate.
    private let call: Body
    private let final: Body?
    private let value: Body?
    private let inverse: Body?

    package init(
        name: String, callbacks: UnsafeMutablePointer<Callbacks>, call: @escaping Body, final: Body?, value: Body?,
        inverse: Body?
    ) {
        self.name = name
        self.call = call
        self.final = final
        self.value = value
        self.inverse = inverse
        super.init(callbacks: callbacks)
    }

    /// Returns the box of the function that SQLite is calling.
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
    package func run(_ body: (FunctionCall) throws -> Void, _ call: FunctionCall) {
        _ = callbacks.run(nesting: "\(name)() is called from within itself too often") {
            try body(call)
            return SQLITE_OK
        } report: {
            report($0, to: call)
            return SQLITE_ERROR
        }
    }

    @inline(never)
    private func report(_ error: any Error, to call: FunctionCall) {
        let argument = error as? ArgumentError
        let number = argument?.number(among: call.values, count: call.count) ?? 0
        let thrown = ThrownError(argument?.located(in: name, number: number) ?? error)
        call.fail(thrown.message, code: thrown.code)
    }
}

// The C functions that SQLite calls. They do not retain the box: SQLite does not release a function while a statement
// runs.

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

/// The flags of a function: the properties that SQLite may assume, and where the function may be called.
@usableFromInline
package struct FunctionFlags {
    let rawValue: Int32

    @usableFromInline
    package init(deterministic: Bool, directOnly: Bool, innocuous: Bool) {
        var flags = SQLITE_UTF8
        if deterministic { flags |= SQLITE_DETERMINISTIC }
        if innocuous { flags |= SQLITE_INNOCUOUS } else if directOnly { flags |= SQLITE_DIRECTONLY }
        rawValue = flags
    }
}

extension Connection {
    /// Adds a scalar function; with `final` an aggregate; with all four closures a window function.
    @usableFromInline
    package func addFunction(
        _ name: String, argumentCount: Int, flags: FunctionFlags, call: @escaping FunctionBox.Body,
        final: FunctionBox.Body? = nil, value: FunctionBox.Body? = nil, inverse: FunctionBox.Body? = nil
    ) throws {
        // Without these two checks, SQLite returns `SQLITE_MISUSE` with the message of an earlier error.
        guard name.utf8.count <= 255 else {
            throw SQLiteError(FunctionProblem.nameTooLong(byteCount: name.utf8.count))
        }
        guard argumentCount <= 127 else {
            throw SQLiteError(FunctionProblem.tooManyArguments(count: argumentCount))
        }
        let made = FunctionBox(
            name: name, callbacks: callbacks, call: call, final: final, value: value, inverse: inverse)
        let (count, flags) = (Int32(Swift.max(-1, argumentCount)), flags.rawValue)
        try change(name, .functionName) { handle in
            // If SQLite rejects the function, it releases the box itself.
            let (box, release) = (made.retained(), KeptObject.release)
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
        if flags & SQLITE_INNOCUOUS == 0 { forgetSchema() }
    }

    /// Removes a function, an aggregate or a window function. Does nothing if the function does not exist. Calls
    /// with this number of arguments then fail, even if a function for any number of arguments exists.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - argumentCount: The number of arguments with which the function was added; negative for any number.
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) while a statement is running or is at a row, and inside a function or a
    ///   collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func removeFunction(named name: String, argumentCount: Int8) throws {
        let count = Int32(Swift.max(-1, argumentCount))
        try change(name, .functionName) {
            // Spatial functions are there for each encoding of text.
            sqlite3_create_function_v2($0, name, count, SQLITE_ANY, nil, nil, nil, nil, nil)
        }
    }

    /// Adds or removes a function or a collation. The object that it replaces is released, and its `deinit` may be user
    /// code. A close of the connection is therefore deferred until SQLite has returned.
    package func change(_ name: String, _ place: SQLiteError.NulCharacterPlace, _ body: (OpaquePointer) -> Int32) throws
    {
        guard let handle else { throw closedError() }
        try checkIsUsable()
        guard callbacks.pointee.depth == 0 else {
            throw SQLiteError(FunctionProblem.changedDuringCall(name: name))
        }
        guard !name.utf8.contains(0) else {
            throw SQLiteError.misuse(.nulCharacter(in: place))
        }
        try duringCall {
            let code = body(handle)
            if code != SQLITE_OK { throw SQLiteError(code, on: handle) }
        }
    }
}
