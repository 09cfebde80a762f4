import Foundation
import SquallSQLite

/// The file that keeps the instructions of the rows, and the rows that are left out with the reason.
///
/// A line is `row C Squall ratio` or `row - reason`; `#` begins a comment.
struct InstructionTable {
    enum Entry {
        case counted(InstructionCounts)
        case leftOut(reason: String)
    }

    /// The versions with which the rows were counted.
    private(set) var versions: String?
    private(set) var entries: [String: Entry] = [:]
    private let path: String

    private static let versionsPrefix = "# Recorded with "

    init(_ path: String) throws {
        self.path = path
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix(Self.versionsPrefix) { versions = String(line.dropFirst(Self.versionsPrefix.count)) }
            if line.hasPrefix("#") { continue }
            let fields = line.split(separator: " ", maxSplits: 2).map { $0.trimmingCharacters(in: .whitespaces) }
            guard fields.count == 3, entries[fields[0]] == nil else { throw Failure("\(path): \(line)") }
            if fields[1] == "-" {
                entries[fields[0]] = .leftOut(reason: fields[2])
            } else if let c = Int(fields[1]), let squall = fields[2].split(separator: " ").first.flatMap({ Int($0) }) {
                entries[fields[0]] = .counted(InstructionCounts(c: c, squall: squall))
            } else {
                throw Failure("\(path): \(line)")
            }
        }
    }

    func counts(of row: String) -> InstructionCounts? {
        if case .counted(let counts) = entries[row] { counts } else { nil }
    }

    func reasonToLeaveOut(_ row: String) -> String? {
        if case .leftOut(let reason) = entries[row] { reason } else { nil }
    }

    /// Writes the file again, with rows that were counted now, and without those that the benchmark does not have.
    func write(_ counted: [String: InstructionCounts], versions: String) throws {
        var lines = [
            "# The instructions of a round of each row of the benchmark: in hand-written C, with Squall, and the ratio.",
            "# `make instructions` fails if a ratio rises by more than 3 %. `make instructions RECORD=1` writes this file.",
            Self.versionsPrefix + versions,
        ]
        let names = Benchmark.all.map(\.name)
        for name in names {
            guard let counts = counted[name] ?? counts(of: name) else { continue }
            lines.append(Self.padded(name) + counts.columns)
        }
        lines.append("# Left out:")
        for name in names {
            guard let reason = reasonToLeaveOut(name) else { continue }
            lines.append("\(Self.padded(name)) - \(reason)")
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    static func padded(_ name: String) -> String { name + String(repeating: " ", count: max(1, 40 - name.count)) }

    /// The versions of what runs now.
    static var currentVersions: String {
        #if arch(x86_64)
            let architecture = "x86_64"
        #elseif arch(arm64)
            let architecture = "arm64"
        #else
            let architecture = "another architecture"
        #endif
        return "\(architecture), SQLite \(String(cString: sqlite3_libversion())), Swift \(_SwiftStdlibVersion.current)"
    }
}

/// The instructions of the two sides of a row.
struct InstructionCounts {
    let c: Int
    let squall: Int

    var ratio: Double { Double(squall) / Double(c) }

    var columns: String { String(format: "%12ld %12ld %7.3f", c, squall, ratio) }
}
