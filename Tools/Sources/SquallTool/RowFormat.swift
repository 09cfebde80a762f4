import ArgumentParser

/// A format that prints a result row by row.
protocol RowFormat {
    init(columns: [String], output: StandardOutput) throws

    mutating func write(_ row: [Cell]) throws

    /// Prints what remains after the last row.
    mutating func finish() throws
}

/// The formats of the option `--format`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json, csv

    var rowFormat: any RowFormat.Type {
        switch self {
        case .table: TableFormat.self
        case .json: JSONFormat.self
        case .csv: CSVFormat.self
        }
    }
}
