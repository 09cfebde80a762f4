import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Another binding of SQLite's sessions.
@Suite(.timeLimit(.minutes(10)))
struct ApswHistoryTests {
    /// The path of a Python that has apsw: `SQUALL_APSW=python3 swift test --filter ApswHistoryTests`, after `pip install apsw`.
    private static let python = ProcessInfo.processInfo.environment["SQUALL_APSW"]

    @Test(.enabled(if: python != nil)) func apswRecordsTheSameChanges() throws {
        var histories: [[String]] = [], recorded: [Set<String>] = []
        for seed in 0..<1_000 {
            var random = SeededGenerator(seed: seed)
            let (first, second) = (
                (0..<8).map { _ in RandomChanges.statement(&random) },
                (0..<8).map { _ in RandomChanges.statement(&random) }
            )
            let before = RandomChanges.schema + first.joined(separator: ";")
            histories.append([before, second.joined(separator: ";")])
            let connection = try Connection()
            try connection.execute(SQL(raw: before))
            let changes = try connection.recordChanges { try $0.execute(SQL(raw: histories[seed][1])) }
            recorded.append(try Self.descriptions(changes))
        }
        let folder = try TemporaryDirectory()
        try JSONEncoder().encode(histories).write(to: URL(filePath: folder.file("histories.json")))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Scripts/apsw-changes.py")
        let run = try TestProcess(
            path: "/usr/bin/env", [Self.python ?? "python3", script.path, folder.file("histories.json")],
            withErrors: true)
        let (output, code) = try run.end()
        #expect(code == 0, "\(output.prefix(1_000))")
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == histories.count)
        for (seed, line) in lines.enumerated() {
            #expect(try Self.descriptions(Changeset(Data(hexadecimal: line))) == recorded[seed], "seed \(seed)")
        }
    }

    /// The changes, without the names of columns, in no order.
    private static func descriptions(_ changes: Changeset) throws -> Set<String> {
        try Set(Changeset(changes.data).elements.map { "\($0)" })
    }
}

extension Data {
    fileprivate init(hexadecimal text: Substring) {
        self.init()
        var first: Int?
        for digit in text.compactMap(\.hexDigitValue) {
            if let high = first { append(UInt8(high * 16 + digit)) }
            first = first == nil ? digit : nil
        }
    }
}
