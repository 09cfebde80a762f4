// Aggregates of Swift types. They are `@inlinable` like `Connection+Function.swift`.

extension Connection {
    /// Adds an aggregate to SQL: a function of many rows, such as `sum`.
    ///
    ///     try connection.addAggregate("product", initial: 1.0) {
    ///         (product: inout Double, value: Double) in
    ///         product *= value
    ///     } final: { product in
    ///         product
    ///     }
    ///     let volume: Double = try connection.query("SELECT product(length) FROM sides")
    ///
    /// Each group has a separate state. Arguments and errors are treated as in `addFunction`.
    ///
    /// - Parameters:
    ///   - name: The name of the aggregate in SQL.
    ///   - deterministic: Whether the same rows always give the same result.
    ///   - directOnly: Whether only statements of the program may call it; see `addFunction`.
    ///   - innocuous: Whether it has no side effects and reveals no secrets; see `addFunction`.
    ///   - initial: The state before the first row, evaluated for each group.
    ///   - step: Adds a row to the state.
    ///   - final: Returns the result. For a group without rows it receives the initial state. It is also called for the
    ///     unfinished group of a statement that ends early; that result is ignored. It is not called after a `step`
    ///     that threw.
    /// - Throws: ``SQLiteError`` under the same conditions as `addFunction`.
    @inlinable
    public func addAggregate<State, each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        initial: @autoclosure @escaping () throws -> State,
        step: @escaping (inout State, repeat each Argument) throws -> Void,
        final: @escaping (State) throws -> Result
    ) throws {
        try addFunction(
            name, argumentCount: packCount(repeat (each Argument).self),
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in try call.change(initial, step) },
            final: { call in
                try call.withFinalState(initial, endsGroup: true) { try final($0).bind(to: call.result) }
            }
        )
    }

    /// Adds an aggregate that is also a window function: with `OVER` it returns a result for each row, from the rows of
    /// a moving frame.
    ///
    ///     try connection.addWindowFunction("moving_sum", initial: 0) {
    ///         (sum: inout Int, value: Int) in
    ///         sum += value
    ///     } inverse: { sum, value in
    ///         sum -= value
    ///     } value: { sum in
    ///         sum
    ///     }
    ///     let sums: [Int] = try connection.query(
    ///         "SELECT moving_sum(price) OVER (ORDER BY id ROWS 2 PRECEDING) FROM cars")
    ///
    /// - Parameters:
    ///   - name: The name of the aggregate in SQL.
    ///   - deterministic: Whether the same rows always give the same result.
    ///   - directOnly: Whether only statements of the program may call it; see `addFunction`.
    ///   - innocuous: Whether it has no side effects and reveals no secrets; see `addFunction`.
    ///   - initial: The state before the first row, evaluated for each group or partition.
    ///   - step: Adds a row to the state.
    ///   - inverse: Removes the oldest row of the frame from the state.
    ///   - value: Returns the result for the rows currently in the state. It is called for every row, and at the end of
    ///     the group.
    /// - Throws: ``SQLiteError`` under the same conditions as `addFunction`.
    @inlinable
    public func addWindowFunction<State, each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        initial: @autoclosure @escaping () throws -> State,
        step: @escaping (inout State, repeat each Argument) throws -> Void,
        inverse: @escaping (inout State, repeat each Argument) throws -> Void,
        value: @escaping (State) throws -> Result
    ) throws {
        try addFunction(
            name, argumentCount: packCount(repeat (each Argument).self),
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in try call.change(initial, step) },
            final: { call in
                try call.withFinalState(initial, endsGroup: true) { try value($0).bind(to: call.result) }
            },
            value: { call in
                try call.withFinalState(initial, endsGroup: false) { try value($0).bind(to: call.result) }
            },
            inverse: { call in try call.change(initial, inverse) }
        )
    }
}
