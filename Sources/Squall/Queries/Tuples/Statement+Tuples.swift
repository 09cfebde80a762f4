extension Statement {
    /// Runs the statement and returns all rows as tuples.
    @inlinable
    func tuples<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> [(repeat each Value)] {
        let layout = TupleLayout(repeat (each Value).self)
        try reset()
        try requireColumns(layout.count)
        var tuples: [(repeat each Value)] = []
        try forEachRow { row in
            if tuples.isEmpty { try requireColumns(layout.count, in: row) }
            tuples.append(try layout.read(row, as: (repeat each Value).self))
        }
        return tuples
    }

    /// Runs the statement and returns the first row as a tuple; `nil` when there is none.
    @inlinable
    func firstTuple<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> (repeat each Value)? {
        let layout = TupleLayout(repeat (each Value).self)
        try reset()
        defer { rewind() }
        try requireColumns(layout.count)
        guard let row = try nextRow() else { return nil }
        try requireColumns(layout.count, in: row)
        return try layout.read(row, as: (repeat each Value).self)
    }
}
