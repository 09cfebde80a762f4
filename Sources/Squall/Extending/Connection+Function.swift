// Functions of Swift types. They are `@inlinable`, so that the module that adds a function compiles it for its types: a
// call needs no array of arguments, no existential and no metadata.

extension Connection {
    /// Adds a function to SQL. It replaces a function with the same name and number of arguments.
    ///
    ///     try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
    ///     let near: [String] = try connection.query(
    ///         "SELECT name FROM cars WHERE distance(price, 20000) < 1000")
    ///
    /// An argument is read like a column of a row. The statement fails for a value of another storage class, a number that does not
    /// fit, and NULL for a parameter that is not optional. The message names the function and the argument.
    ///
    /// An error thrown by the function makes the statement fail with the error's message, and with its code for a ``SQLiteError``.
    /// For some codes, such as an interrupt, SQLite rolls back the whole transaction, as if the error were SQLite's.
    ///
    /// The function may use its connection, but must not close it, attach or detach databases, or add or remove functions. In a statement
    /// that writes, it must not write to the same table, and a rollback ends the statement.
    /// It must not retain the connection: capture it `weak` or `unowned`.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - deterministic: Whether the same arguments always give the same result. SQLite then calls the function less
    ///     often, and allows it in indexes and generated columns.
    ///   - directOnly: Whether only statements of the program may call the function. That excludes triggers, views,
    ///     CHECK constraints, DEFAULT clauses, indexes and generated columns. Their text is in the file, and another
    ///     program may have written it.
    ///   - innocuous: Whether the function has no side effects and reveals no secrets. The schema of any file may then
    ///     call it, even where the schema is not trusted (``Configuration/recommended``), and `directOnly` has no
    ///     effect.
    ///   - function: The closure that SQLite calls.
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) for a name of more than 255 bytes or with a NUL character, and for
    ///   more than 127 arguments; `SQLITE_BUSY` (5) inside a function or a collation, and if the function replaces another
    ///   while a statement is running or is at a row.
    @inlinable
    public func addFunction<each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping (repeat each Argument) throws -> Result
    ) throws {
        try addFunction(
            name, argumentCount: packCount(repeat (each Argument).self),
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in
                var index = 0
                try function(repeat try (each Argument).fromArgument(call.next(&index))).bind(to: call.result)
            }
        )
    }

    /// Adds a function of any number of arguments, which it receives as an array. See `addFunction` with separate
    /// arguments for errors and flags.
    ///
    ///     try connection.addFunction("greatest") { (numbers: [Double?]) in
    ///         numbers.compactMap { $0 }.max()
    ///     }
    ///     try connection.addFunction("count_nulls") { (values: [BindingValue]) in
    ///         values.count { $0 == .null }
    ///     }
    ///
    /// SQLite prefers a function with the exact number of arguments.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) for a name of more than 255 bytes or with a NUL character;
    ///   `SQLITE_BUSY` (5) inside a function or a collation, and if the function replaces another while a statement is
    ///   running or is at a row.
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
