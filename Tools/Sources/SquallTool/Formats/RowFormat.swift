/// A format that prints a result row by row.
protocol RowFormat {
    init(columns: [String], output: Output) throws

    mutating func write(_ row: [Cell]) throws

    /// Prints what remains after the last row.
    mutating func finish() throws
}
