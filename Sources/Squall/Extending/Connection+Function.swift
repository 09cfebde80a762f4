// Functions of Swift types. They are `@inlinable`, so that each is compiled for its own types in the module that adds it:
// no array of arguments, no existential, no metadata at a call.

extension Connection {
    /// Adds a function to SQL, in place of one with the same name and number of arguments.
    ///
    ///     try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
    ///     let near: [String] = try connection.query("SELECT name FROM cars WHERE distance(price, 20000) < 1000")
    ///
    /// An argument is read as a column of a row would be: a value of another storage class, a number that does not fit and a
    /// NULL without an optional make the statement fail, with a message that names the function and the argument. An error
    /// that the function throws makes it fail too, with the error's message (and code, for a ``SQLiteError``; of some, such
    /// as an interrupt, SQLite rolls the whole transaction back, as if it were its own).
    ///
    /// The function may use its connection, but not close it, nor add and remove functions. It must not hold on to it: capture
    /// it `weak` or `unowned`.
    ///
    /// - Parameters:
    ///   - deterministic: The same arguments always give the same result. SQLite then calls it less often, and lets it be
    ///     used in indexes and generated columns.
    ///   - directOnly: Only statements of the program may call it. This bars it from triggers, views, CHECK constraints,
    ///     DEFAULT clauses, indexes and generated columns, whose text is in the file, where somebody else may have put it.
    ///   - innocuous: It has no side effects and tells no secrets, so that the schema of any file may call it, also where the
    ///     schema is not trusted (``Configuration/recommended``). `directOnly` then counts for nothing.
    /// - Throws: ``SQLiteError``, code 21 for a name over 255 bytes, code 5 for a function that is to be replaced while a
    ///   statement is running, also one that stands on a row.
    @inlinable
    public func addFunction<each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping (repeat each Argument) throws -> Result
    ) throws {
        var count = 0
        for _ in repeat (each Argument).self { count += 1 }
        try addFunction(
            name, argumentCount: count,
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in
                var index = 0
                try function(repeat try (each Argument).fromArgument(call.next(&index))).bind(to: call.result)
            }
        )
    }

    /// The same for a function of any number of arguments, which it is given as an array.
    ///
    ///     try connection.addFunction("greatest") { (numbers: [Double?]) in numbers.compactMap { $0 }.max() }
    ///     try connection.addFunction("count_nulls") { (values: [BindingValue]) in values.count { $0 == .null } }
    ///
    /// A function with the exact number of arguments goes before it.
    @_disfavoredOverload
    @inlinable
    public func addFunction<Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping ([Argument]) throws -> Result
    ) throws {
        try addFunction(
            name, argumentCount: -1,
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in try function(try call.all(as: [Argument].self)).bind(to: call.result) }
        )
    }
}
