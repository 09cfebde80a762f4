import Foundation

/// The file that is imported, with the options of its format.
struct ImportSource {
    let file: SourceFile
    let format: InputFormat
    /// The byte between fields, instead of that of the format.
    var delimiter: UInt8?
    /// The names of the columns, instead of those of the header.
    var columns: [String]?
    var hasHeader = true

    /// Returns a reader that begins at the first record.
    func reader() throws -> any RecordReader {
        switch format {
        case .csv, .tsv:
            let standard = format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
            return try DelimitedReader(file, delimiter: delimiter ?? standard, columns: columns, hasHeader: hasHeader)
        case .json: return try JSONReader(file, layout: .array)
        case .ndjson: return try JSONReader(file, layout: .lines)
        }
    }
}
