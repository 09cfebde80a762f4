import Foundation
import Squall

/// A file of lines, which `CREATE VIRTUAL TABLE temp.diary USING lines` makes, and `DROP TABLE diary` removes. Its name is that of the
/// table, unless there is an argument: `lines(file='diary.txt')`.
struct LineFile: VirtualTable {
    /// The error of a line whose bytes are not text.
    struct NotUTF8: Error {
        let line: Int
    }

    struct Misused: Error {
        let reason: String
    }

    private let file: URL

    init(_ arguments: TableArguments) throws {
        // In another database, the table would stay in a file that programs without these lines cannot use.
        guard arguments.database == "temp", arguments.values.count <= 1 else {
            throw Misused(reason: "\(arguments.module) are made in temp, with at most one argument")
        }
        file = URL(filePath: arguments["file"] ?? "\(arguments.table).txt")
        // A connection that finds the table in a file of SQLite does not create it.
        if arguments.isCreation { try Data().write(to: file, options: .withoutOverwriting) }
    }

    let columns = [VirtualColumn<String>("line") { $0 }]

    /// The lines, each of which is decoded when SQLite reads it.
    func rows(_ scan: borrowing Scan) throws -> ThrowingRows<String> {
        var lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).enumerated().makeIterator()
        return ThrowingRows {
            guard let (index, bytes) = lines.next() else { return nil }
            guard let line = String(bytes: bytes, encoding: .utf8) else { throw NotUTF8(line: index + 1) }
            return line
        }
    }

    func drop() throws { try FileManager.default.removeItem(at: file) }
}
