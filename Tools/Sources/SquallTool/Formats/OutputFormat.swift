import ArgumentParser

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
