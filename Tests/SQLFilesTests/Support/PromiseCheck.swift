import Squall

@testable import SquallSQLFiles

/// Runs queries, and compares their values with the types that the analysis promises.
struct PromiseCheck {
    let compiler: StatementCompiler

    init(_ compiler: StatementCompiler) {
        self.compiler = compiler
    }

    /// Returns the promises that a query breaks, and the number of its rows. A query that fails has none; parameters are NULL.
    func broken(_ sql: String) throws -> (lines: [String], rows: Int) {
        let source = SourceText(path: "query.sql", text: sql)
        let statement = try compiler.compile(SourceText.Excerpt(text: sql, offset: 0), in: source, declared: [:])
        return (broken(statement), rows(of: statement).count)
    }

    private func rows(of statement: CompiledStatement) -> [Row] {
        // A list is a table without rows.
        (try? compiler.connection.query(SQL(raw: statement.text.text)) { (row: Row) in row }) ?? []
    }

    func broken(_ statement: CompiledStatement) -> [String] {
        var lines: [String] = []
        for row in rows(of: statement) {
            for (index, result) in statement.results.enumerated() {
                let found = row.storageClass(at: index)
                if found == "null" {
                    if !result.value.isNullable { lines.append("column \(index) is NULL: \(statement.source.text)") }
                } else if let type = result.value.type, !type.stores(found), !row.hasOverflow(at: index) {
                    lines.append("column \(index) is \(found), not \(type.name): \(statement.source.text)")
                }
            }
        }
        return lines
    }
}

extension Row {
    fileprivate func storageClass(at index: Int) -> String {
        switch value(at: index) {
        case nil: "null"
        case is Int64: "integer"
        case is Double: "real"
        case is String: "text"
        default: "blob"
        }
    }

    /// Whether a value is an integer that was too large, which SQLite makes REAL.
    fileprivate func hasOverflow(at index: Int) -> Bool {
        (value(at: index) as? Double).map { abs($0) >= 0x1p63 && $0.isFinite } ?? false
    }
}

extension ValueType {
    fileprivate func stores(_ storageClass: String) -> Bool {
        switch self {
        case .int, .rowID, .bool: storageClass == "integer"
        case .double: storageClass == "real" || storageClass == "integer"
        case .string: storageClass == "text"
        case .data: storageClass == "blob"
        default: true
        }
    }
}
