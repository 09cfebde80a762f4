import ArgumentParser

/// The formats of the option `--format`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json, ndjson, csv, tsv, markdown

    var rowFormat: any RowFormat.Type {
        switch self {
        case .table: TableFormat.self
        case .json: JSONFormat.self
        case .ndjson: NDJSONFormat.self
        case .csv: CSVFormat.self
        case .tsv: TSVFormat.self
        case .markdown: MarkdownFormat.self
        }
    }
}
