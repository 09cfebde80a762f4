import Squall
@testable import SquallSQLFiles

/// A schema whose files are given as texts: `001.sql`, `002.sql` and so on.
struct BuiltSchema {
    let run: SchemaRun

    init(
        _ files: String..., functions: [FunctionDeclaration] = [], collations: [String] = [], extensions: [String] = [],
        deadline: Duration = .seconds(10)
    ) throws {
        let history = files.enumerated().map { index, text in
            SQLFolder.Version(number: index + 1, source: SourceText(path: "sql/schema/00\(index + 1).sql", text: text))
        }
        run = try SchemaRun(
            history, functions: functions, collations: collations, extensions: extensions, deadline: deadline)
    }

    /// The diagnostics without the folder of the files.
    var messages: [String] {
        run.diagnostics.map { String($0.description.dropFirst($0.location.file.hasPrefix("sql/schema/") ? 11 : 0)) }
    }

    func hint(_ name: String) -> String? { run.changes.hint(forMissing: name) }

    /// The columns of a table with their types: `id Int64, name String?, rank hidden Double?`.
    func columns(_ table: Identifier) -> String? {
        run.catalog.tables[table]?.columns.map { column in
            let type = column.type.map { $0.form == .direct ? $0.name : "\($0.name) as \($0.form)" } ?? "_"
            let kind = column.isHidden ? " hidden" : column.isGenerated ? " generated" : ""
            return "\(column.name)\(kind) \(type)\(column.isNotNull ? "" : "?")"
        }.joined(separator: ", ")
    }
}
