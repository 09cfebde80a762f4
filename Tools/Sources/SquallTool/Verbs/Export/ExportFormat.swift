import ArgumentParser
import Foundation

/// The format of an export.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case csv, tsv, json, ndjson, markdown, sql

    /// The format that the extension of a file names.
    init?(path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "md", "markdown": self = .markdown
        case "sql": self = .sql
        default: return nil
        }
    }

    /// The format of rows; `nil` for SQL, which is more than rows.
    var outputFormat: OutputFormat? { OutputFormat(rawValue: rawValue) }
}
