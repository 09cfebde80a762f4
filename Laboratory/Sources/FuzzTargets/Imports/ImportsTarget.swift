import Foundation
import Squall

extension FuzzTarget {
    /// Files of CSV, TSV and JSON for the tool's `import`.
    static let imports = FuzzTarget(
        "imports", "CSV, TSV and JSON of the tool's import", longestInput: 2048, seeds: { ImportSeeds.all },
        run: { bytes in
            var input = FuzzInput(bytes)
            let (form, size) = (input.byte(), input.byte())
            try ImportedFile(bytes: input.rest(), form: form, partSize: Int(size) % 32 + 1).check()
        })
}

/// A file that is imported, whole and in parts.
struct ImportedFile {
    private enum Format {
        case delimited(UInt8, hasHeader: Bool, columns: [String]?)
        case json(JSONReader.Layout)
    }

    let bytes: [UInt8]
    private let format: Format
    let partSize: Int

    init(bytes: [UInt8], form: UInt8, partSize: Int) {
        self.bytes = bytes
        self.partSize = partSize
        let columns = form & 16 == 0 ? nil : ["a", "b"]
        format =
            switch form & 3 {
            case 0: .delimited(UInt8(ascii: ","), hasHeader: form & 8 == 0, columns: columns)
            case 1: .delimited(UInt8(ascii: "\t"), hasHeader: form & 8 == 0, columns: columns)
            case 2: .json(.array)
            default: .json(.lines)
            }
    }

    func check() throws {
        let whole = try ImportedRecords(read: reader(partSize: max(1, bytes.count)))
        let parts = try ImportedRecords(read: reader(partSize: partSize))
        try requireEqual(parts, whole, "the file in parts of \(partSize) bytes, and the whole")
        if case .delimited(let delimiter, let hasHeader, _) = format, hasHeader, whole.failure == nil {
            try checkRoundTrip(whole, delimiter)
        }
        if case .json = format { try checkValues(whole) }
    }

    private func reader(partSize: Int) -> () throws -> any RecordReader {
        {
            let file = SourceFile(bytes, partSize: partSize)
            switch format {
            case .delimited(let delimiter, let hasHeader, let columns):
                return try DelimitedReader(file, delimiter: delimiter, columns: columns, hasHeader: hasHeader)
            case .json(let layout): return try JSONReader(file, layout: layout)
            }
        }
    }

    /// Writes the records as the tool's `export` does, and reads them again.
    private func checkRoundTrip(_ records: ImportedRecords, _ delimiter: UInt8) throws {
        let notation = DelimitedText(delimiter: delimiter)
        var text: [UInt8] = []
        notation.append(records.columns.map { .text($0) }, to: &text)
        let rows = records.rows.filter { $0.problem == nil && $0.values.count == records.columns.count }
        for row in rows { notation.append(row.values.map(\.cell), to: &text) }
        let again = try ImportedRecords(read: {
            try DelimitedReader(
                SourceFile(text, partSize: partSize), delimiter: delimiter, columns: nil, hasHeader: true)
        })
        try requireEqual(again.failure, nil, "the failure of a file that was exported")
        try requireEqual(again.columns.map { Array($0.utf8) }, records.columns.map { Array($0.utf8) }, "the names")
        // A single empty field is a blank line, which has no row if it is NULL.
        guard records.columns.count > 1 else { return }
        try requireEqual(again.rows.map(\.texts), rows.map(\.texts), "the rows that were exported")
    }

    /// Compares the values of objects with those that SQLite's JSON functions read.
    private func checkValues(_ records: ImportedRecords) throws {
        let connection = try DateReference.opened()
        for row in records.rows where row.problem == nil {
            guard let json = String(validating: row.bytes, as: UTF8.self), !json.utf8.contains(0) else { continue }
            // SQLite's parser has a stack of 1,000 brackets.
            guard row.bytes.count(where: { $0 == 0x5B || $0 == 0x7B }) < 500 else { continue }
            let isValid: Bool = try connection.query("SELECT json_valid(\(json))")
            try require(isValid, "the object is not JSON for SQLite: \(json.debugDescription)")
            for value in row.values where value.notation == .nested {
                guard let text = value.text else { continue }
                let isValid: Bool = try connection.query("SELECT json_valid(\(text))")
                try require(
                    isValid || text.utf8.contains(0), "the value is not JSON for SQLite: \(text.debugDescription)")
            }
        }
    }
}
