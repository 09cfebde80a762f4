@testable import SquallSQLFiles

/// Reads queries of text, as of the file `q.sql`.
enum ReadQueries {
    static func file(_ text: String) -> QueryFile { QueryFile(SourceText(path: "q.sql", text: text)) }

    /// Returns the diagnostics as lines.
    static func lines(_ text: String) -> [String] { file(text).diagnostics.map(\.description) }

    /// Returns the queries as their names and their statements: `cars: SELECT 1; SELECT 2`.
    static func queries(_ text: String) -> [String] {
        file(text).queries.map { "\($0.name): \($0.statements.map(\.text).joined(separator: "; "))" }
    }

    /// Returns the declared types of the first query: `limit: Int?`.
    static func types(_ text: String) -> [String] {
        (file(text).queries.first?.types ?? [:]).map { "\($0.key): \($0.value.described)" }.sorted()
    }
}

extension TypeDeclaration {
    /// The type as a comment declares it.
    var described: String {
        let suffix =
            switch nullability {
            case .proved: ""
            case .optional: "?"
            case .promised: "!"
            }
        return "\(type.name)\(suffix)\(type.form == .direct ? "" : " as \(type.form)")"
    }
}
