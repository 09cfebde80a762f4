import ArgumentParser
import Foundation

/// The format of an input file.
enum InputFormat: String, CaseIterable, ExpressibleByArgument {
    case csv, tsv, json, ndjson

    /// The format that the extension of a file names.
    init?(path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        default: return nil
        }
    }

    /// Whether the values are text, and the names of the columns are in a header.
    var isDelimited: Bool { self == .csv || self == .tsv }
}
