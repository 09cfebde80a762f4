import Foundation

/// Runs a script of statements and commands, until the first error.
struct ShellScript {
    private static let pieceSize = 1 << 16
    private let session: ShellSession

    init(_ session: ShellSession) {
        self.session = session
    }

    /// Reads a file piece by piece, so that a script may be longer than the memory.
    func run(_ file: FileHandle) throws {
        var splitter = StatementSplitter()
        var line: [UInt8] = []
        var isFirst = true
        while true {
            guard let piece = try? file.read(upToCount: Self.pieceSize) ?? Data() else {
                throw Failure("cannot read the script", exitCode: .ioError)
            }
            for byte in piece {
                line.append(byte)
                guard byte == 10 else { continue }
                // A byte order mark is not SQL.
                if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
                isFirst = false
                guard try run(line, &splitter) else { return }
                line.removeAll(keepingCapacity: true)
            }
            if piece.isEmpty { break }
        }
        guard try run(line, &splitter) else { return }
        if let rest = splitter.takeRest() { try session.run(rest) }
    }

    /// - Returns: Whether the script goes on.
    private func run(_ line: [UInt8], _ splitter: inout StatementSplitter) throws -> Bool {
        guard let line = String(checking: line) else {
            throw Failure("the script is not valid UTF-8", exitCode: .badInput)
        }
        if !splitter.isInStatement, line.hasPrefix(".") { return try DotCommand(line).run(in: session) }
        for statement in splitter.add(line) { try session.run(statement) }
        return true
    }
}
