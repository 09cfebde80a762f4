// Aggregates of Swift types; `@inlinable` as in `Connection+Function.swift`.

extension Connection {
    /// Adds an aggregate to SQL: a function of many rows, such as `sum`.
    ///
    ///     try connection.addAggregate("product", initial: 1.0) { (product: inout Double, value: Double) in
    ///         product *= value
    ///     } final: { product in
    ///         product
    ///     }
    ///     let volume: Double = try connection.query("SELECT product(length) FROM sides")
    ///
    /// Each group has a state of its own. Arguments and errors are as in `addFunction`.
    ///
    /// - Parameters:
    ///   - initial: The state before the first row, made anew for each group.
    ///   - step: Takes a row into the state.
    ///   - final: The result. For no rows it is given the initial state. It is also called for the group that is unfinished
    ///     when a statement ends early, and its result is then not used; after a `step` that has thrown it is not called.
    /// - Throws: ``SQLiteError``, as `addFunction` does.
    @inlinable
    public func addAggregate<State, each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        initial: @autoclosure @escaping () throws -> State,
        step: @escaping (inout State, repeat each Argument) throws -> Void,
        final: @escaping (State) throws -> Result
    ) throws {
        var count = 0
        for _ in repeat (each Argument).self { count += 1 }
        try addFunction(
            name, argumentCount: count,
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in
                try call.change(initial) { state in
                    var index = 0
                    try step(&state, repeat try (each Argument).fromArgument(call.next(&index)))
                }
            },
            final: { call in
                try call.withFinalState(initial, endsGroup: true) { try final($0).bind(to: call.result) }
            }
        )
    }

    /// Adds an aggregate that is a window function as well: with `OVER` it gives a result for each row, from the rows of a
    /// frame that moves along.
    ///
    ///     try connection.addWindowFunction("moving_sum", initial: 0) { (sum: inout Int, value: Int) in
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
    ///   - initial: The state before the first row, made anew for each group or partition.
    ///   - step: Takes a row into the state.
    ///   - inverse: Takes the oldest row of the frame out of the state.
    ///   - value: The result for the rows that are in the state now. Called for every row, and at the end of the group.
    /// - Throws: ``SQLiteError``, as `addFunction` does.
    @inlinable
    public func addWindowFunction<State, each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String, deterministic: Bool = false, directOnly: Bool = true, innocuous: Bool = false,
        initial: @autoclosure @escaping () throws -> State,
        step: @escaping (inout State, repeat each Argument) throws -> Void,
        inverse: @escaping (inout State, repeat each Argument) throws -> Void,
        value: @escaping (State) throws -> Result
    ) throws {
        var count = 0
        for _ in repeat (each Argument).self { count += 1 }
        try addFunction(
            name, argumentCount: count,
            flags: FunctionFlags(deterministic: deterministic, directOnly: directOnly, innocuous: innocuous),
            call: { call in
                try call.change(initial) { state in
                    var index = 0
                    try step(&state, repeat try (each Argument).fromArgument(call.next(&index)))
                }
            },
            final: { call in
                try call.withFinalState(initial, endsGroup: true) { try value($0).bind(to: call.result) }
            },
            value: { call in
                try call.withFinalState(initial, endsGroup: false) { try value($0).bind(to: call.result) }
            },
            inverse: { call in
                try call.change(initial) { state in
                    var index = 0
                    try inverse(&state, repeat try (each Argument).fromArgument(call.next(&index)))
                }
            }
        )
    }
}
