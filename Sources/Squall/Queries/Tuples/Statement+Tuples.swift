extension Statement {
    /// Runs the statement and returns all rows as tuples.
    @inlinable
    func tuples<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> [(repeat each Value)] {
        try reset()
        let count = packCount(repeat (each Value).self)
        try requireColumns(count)
        var elements: [(repeat each Value)] = []
        try forEachRow { row in
            if elements.isEmpty { try requireColumns(count, in: row) }
            var reader = TupleReader(row)
            defer { withExtendedLifetime(row.storage) {} }
            elements.append((repeat try reader.next((each Value).self)))
        }
        return elements
    }

    /// Runs the statement and returns the first row as a tuple; `nil` when there is none.
    @inlinable
    func firstTuple<each Value: FunctionArgument>(_ types: (repeat each Value).Type) throws -> (repeat each Value)? {
        try reset()
        defer { rewind() }
        let count = packCount(repeat (each Value).self)
        try requireColumns(count)
        guard let row = try nextRow() else { return nil }
        try requireColumns(count, in: row)
        var reader = TupleReader(row)
        defer { withExtendedLifetime(row.storage) {} }
        return (repeat try reader.next((each Value).self))
    }
}
