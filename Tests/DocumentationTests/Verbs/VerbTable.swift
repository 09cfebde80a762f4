import Foundation
import Squall
import SquallTestSupport
import Testing

/// A table of the page "Every verb": lines of Swift that are run, each beside the SQL that SQLite traced.
///
///     try verb { try connection.count(Car.self) }
///
/// The Swift of a row is the closure as it stands in the file of the test, in one line. With `SQUALL_RECORD=1`, the tables are written
/// into the page.
final class VerbTable {
    private let source: [String]
    /// The SQL of the line that runs.
    let log = Lines()
    private var rows: [String] = []

    init(file: String = #filePath) throws {
        source = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Follows the statements of a connection.
    func trace(_ connection: Connection) {
        connection.traceStatements { [log] sql in log.add(sql) }
    }

    /// Follows the statements of all connections of a database.
    func trace(_ database: Database) {
        database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { [log] event in
            if case .statement(let statement, let sql) = event { log.add(sql.hasPrefix("--") ? sql : statement) }
        }
    }

    /// Runs a line, and adds it with its SQL.
    ///
    /// - Parameters:
    ///   - pattern: The SQL to show where it is long or differs between machines: `…` stands for any text.
    ///   - reason: The reason why the line runs no SQL.
    @discardableResult
    func callAsFunction<Result: ~Copyable>(
        _ pattern: String? = nil, none reason: String? = nil, line: Int = #line, _ body: () throws -> Result
    ) throws -> Result {
        _ = log.take()
        let result = try body()
        try add(line, pattern, reason)
        return result
    }

    /// Runs a line that suspends, and adds it with its SQL.
    @discardableResult
    nonisolated(nonsending) func suspending<Result>(
        _ pattern: String? = nil, none reason: String? = nil, line: Int = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        _ = log.take()
        let result = try await body()
        try add(line, pattern, reason)
        return result
    }

    /// Runs a line, and adds it with the SQL that it runs and SQLite does not trace.
    func callAsFunction<Result>(untraced sql: String, line: Int = #line, _ body: () throws -> Result) throws {
        log.add(sql)
        try add(line, sql, nil)
        _ = try body()
        #expect(log.take() == [])
    }

    /// Adds a line that is compiled and not run: it needs a file that is not there.
    func compiling(none reason: String, line: Int = #line, _ body: () throws -> Void) throws {
        _ = log.take()
        try add(line, nil, reason)
    }

    private func add(_ line: Int, _ pattern: String?, _ reason: String?) throws {
        let text = source[line - 1]
        let start = try #require(text.firstRange(of: "{ "), "\(line): \(text)").upperBound
        let end = try #require(text.ranges(of: " }").last, "\(line): \(text)").lowerBound
        let swift = text[start..<end]
        // SQLite itself runs the others, for a trigger or a virtual table.
        let statements = log.take().filter { !$0.hasPrefix("--") }.map(Self.inOneLine)
        let found = statements.joined(separator: "; ")
        if let reason {
            // PRAGMAs and transactions surround what the line does by calls of SQLite.
            let others = statements.filter { !$0.hasPrefix("PRAGMA") && !$0.hasSuffix(" TRANSACTION") }
            #expect(others == [], "\(swift)")
            return rows.append("| \(Self.code(swift)) | none: \(reason) |")
        }
        #expect(found != "", "\(swift)")
        if let pattern { #expect(found.fits(pattern), "\(swift)") }
        rows.append("| \(Self.code(swift)) | \(Self.code((pattern ?? found)[...])) |")
    }

    private static func inOneLine(_ statement: String) -> String {
        statement.split(whereSeparator: \.isWhitespace).joined(separator: " ").trimmingCharacters(in: [";"])
    }

    /// Code in a cell of a table, where `|` ends the cell.
    private static func code(_ text: Substring) -> String {
        "`\(text.replacing("|", with: "\\|"))`"
    }

    /// Compares the table with that of the page under a heading, or writes it there.
    func finish(_ heading: String) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Squall/Squall.docc/Guides/Verbs.md").standardizedFileURL
        var lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let section = try #require(lines.firstIndex(of: "### \(heading)"), "The page has no section \(heading).")
        let head = try #require(lines[section...].firstIndex { $0.hasPrefix("| Swift | SQL |") })
        let start = head + 2
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        let found = Array(lines[start..<end])
        lines.replaceSubrange(start..<end, with: rows)
        if ProcessInfo.processInfo.environment["SQUALL_RECORD"] != nil, found != rows {
            try lines.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
        } else {
            #expect(found == rows, "SQUALL_RECORD=1")
        }
    }
}

extension String {
    /// Whether the text is that of a pattern in which `…` stands for any text.
    fileprivate func fits(_ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1 else { return self == pattern }
        guard hasPrefix(parts[0]) else { return false }
        var rest = dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
