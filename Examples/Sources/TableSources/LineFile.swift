import Foundation
import Squall

/// A file of lines, which `CREATE VIRTUAL TABLE temp.diary USING lines(file='diary.txt')` makes, and `DROP TABLE diary` removes.
struct LineFile: VirtualTable {
    /// The error of a line whose bytes are not text.
    struct NotUTF8: Error {
        let line: Int
    }

    private let file: URL

    init(_ arguments: TableArguments) throws {
        file = URL(filePath: try arguments.required("file"))
        // A connection that finds the table in a file of SQLite does not create it.
        if arguments.isCreation { try Data().write(to: file, options: .withoutOverwriting) }
    }

    let columns = [VirtualColumn<String>("line") { $0 }]

    /// The lines, each of which is decoded when SQLite reads it.
    func rows(_ scan: borrowing Scan) throws -> ThrowingRows<String> {
        var lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).enumerated().makeIterator()
        return ThrowingRows {
            guard let (index, bytes) = lines.next() else { return nil }
            guard let line = String(validating: bytes, as: UTF8.self) else { throw NotUTF8(line: index + 1) }
            return line
        }
    }

    func drop() throws { try FileManager.default.removeItem(at: file) }
}
