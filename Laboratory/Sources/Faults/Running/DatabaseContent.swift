import Foundation
import Squall

/// The tables and the rows of the files of a scenario, as text, and what is wrong with them.
struct DatabaseContent {
    /// A line for each object of the schema and for each row.
    private(set) var lines: [String] = []
    /// What `PRAGMA integrity_check` and `PRAGMA foreign_key_check` have found.
    private(set) var problems: [String] = []

    /// Reads files of a folder. A file that does not exist, or is empty, has no content.
    init(of files: [String], in folder: String) throws {
        for file in files {
            let path = "\(folder)/\(file)"
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard let size, size > 0 else { continue }
            // The journal mode stays as the file has it.
            let connection = try Connection(path, mode: .existing, configuration: .laboratory(nil))
            defer { connection.close() }
            try read(connection, file)
            problems += try connection.integrityCheck().map { "\(file): \($0)" }
            problems += try connection.foreignKeyCheck().map { "\(file): \($0)" }
        }
    }

    private mutating func read(_ connection: Connection, _ file: String) throws {
        let objects = try connection.query(
            """
            SELECT type, name, coalesce(sql, '') FROM sqlite_schema
            WHERE name != 'probe' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
            """,
            as: (String, String, String).self
        )
        for (type, name, sql) in objects {
            lines.append("\(file) \(type) \(name): \(sql)")
            // The rows of a virtual table are in other tables.
            if type == "table" && !sql.hasPrefix("CREATE VIRTUAL") {
                lines += try Self.rows(of: name, connection).map { "\(file) \(name) \($0)" }
            }
        }
    }

    private static func rows(of table: String, _ connection: Connection) throws -> [String] {
        // The time at which a version was applied differs from run to run.
        let sql: SQL =
            table == "squall_versions"
            ? "SELECT schema, version, checksum FROM squall_versions" : "SELECT * FROM \(name: table)"
        return try connection.query(sql) { row in row.columns.map(text).joined(separator: " ") }
    }

    private static func text(of column: Row.Column) -> String {
        let shown =
            switch column.bindingValue {
            case .null: "NULL"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let value): "'\(value)'"
            case .blob(let value): "x'\(value.map { String($0, radix: 16) }.joined(separator: " "))'"
            case .malformedText(let value): "t'\(value.map { String($0, radix: 16) }.joined(separator: " "))'"
            }
        return "\(column.name)=\(shown)"
    }
}
