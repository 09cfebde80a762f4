import Foundation

/// The file of the option `--reject`: CSV with the line, the reason and the text of each record that was not imported.
struct RejectFile {
    private let output: Output
    private(set) var count = 0

    /// Creates the file.
    ///
    /// - Throws: ``Failure``.
    init(path: String) throws {
        output = try Output(path: path)
        try output.write("line,reason,record\n")
    }

    mutating func add(_ record: borrowing Record, _ reason: String) throws {
        try output.write("\(record.line),")
        try output.write(DelimitedText.comma.quoted(Array(reason.utf8)))
        try output.write(",")
        try output.write(DelimitedText.comma.quoted(Array(record.bytes)))
        try output.write("\n")
        count += 1
    }

    func finish() throws {
        try output.flush()
    }
}
