import Foundation
import Squall
import SquallBase

/// Runs a script of statements and commands, until the first error.
struct ShellScript {
    private static let pieceSize = 1 << 16
    private let session: ShellSession
    /// The name of the script for messages.
    private let name: String
    private var splitter = StatementSplitter()
    /// The number of the line that is being read, from 1.
    private var line = 1
    /// The number of the line on which the text of the statement begins, with the blanks before it.
    private var start = 1

    init(_ session: ShellSession, name: String) {
        (self.session, self.name) = (session, name)
    }

    /// Reads a file piece by piece, so that a script may be longer than the memory.
    mutating func run(_ file: FileHandle) throws {
        var bytes: [UInt8] = []
        while true {
            guard let piece = try? file.read(upToCount: Self.pieceSize) ?? Data() else {
                throw Failure("cannot read the script", exitCode: .ioError)
            }
            for byte in piece {
                bytes.append(byte)
                guard byte == 10 else { continue }
                // A byte order mark is not SQL.
                if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
                guard try runLine(bytes) else { return }
                line += 1
                bytes.removeAll(keepingCapacity: true)
            }
            if piece.isEmpty { break }
        }
        guard try runLine(bytes) else { return }
        if let rest = splitter.takeRest() { try runStatement(rest) }
    }

    /// - Returns: Whether the script goes on.
    private mutating func runLine(_ bytes: [UInt8]) throws -> Bool {
        guard let text = String(checking: bytes) else {
            throw Failure(
                "\(name), line \(line): the script is not valid UTF-8", exitCode: .badInput,
                hint: TextEncoding.hint(bytes[...]))
        }
        if !splitter.isInStatement {
            // Blank lines and comments before a statement are not part of it.
            _ = splitter.takeRest()
            start = line
            if text.hasPrefix(".") { return try DotCommand(text).run(in: session) }
        }
        for statement in splitter.add(text) {
            try runStatement(statement)
            start = line
        }
        return true
    }

    /// Runs a statement, and names its line in an error.
    private func runStatement(_ sql: String) throws {
        let wasInTransaction = session.connection.isInTransaction
        do {
            try session.run(sql)
        } catch let error as SQLiteError where error.resultCode != .interrupt {
            guard var failure = Failure(error) else { throw error }
            if wasInTransaction, !session.connection.isInTransaction {
                failure = failure.hinting(
                    "the statement itself rolled the transaction back: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK) in a trigger"
                )
            }
            throw failure.at("\(name), line \(start - 1 + (error.location?.line ?? Self.firstLine(of: sql)))")
        }
    }

    /// Returns the line of a text, from 1, on which the statement begins after blanks and comments.
    private static func firstLine(of sql: String) -> Int {
        let position = SQLTokenizer(sql).first { !$0.isBlank }?.range.lowerBound ?? 0
        return sql.utf8.prefix(position).count { $0 == 10 } + 1
    }
}
