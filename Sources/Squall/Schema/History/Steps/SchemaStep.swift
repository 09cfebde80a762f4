/// A step of a ``Version``: ``CreateTable``, ``AlterTable``, ``Execute`` and so on. All steps are types of the library.
public protocol SchemaStep: Sendable {}

/// A step with its action, which is internal.
protocol ActionStep: SchemaStep {
    var action: SchemaAction { get }
}

/// A step that another module of the package declares, such as SquallSearch.
package protocol AnnexStep: SchemaStep {
    /// `CreateSearchTable notes_search`
    var title: String { get }
    /// The text that the checksum of the version has besides the title.
    var details: String { get }

    /// Adds to a connection what a later step of the history may need on it, such as a tokenizer: this one ran on another connection.
    func prepare(_ connection: Connection)

    func perform(with editor: SchemaEditor) throws
}

/// The action of a ``SchemaStep``.
package enum SchemaAction: Sendable {
    case createTable(TableDefinition)
    case dropTable(String)
    case renameTable(String, to: String)
    case createIndex(IndexDefinition)
    case dropIndex(String)
    case renameIndex(String, to: String)
    case alterTable(String, [TableAlteration])
    case createView(String, SQL)
    case dropView(String)
    case createTrigger(String, SQL)
    case dropTrigger(String)
    case annex(any AnnexStep)
    case sql(SQL)
    /// The text of a file, and its name.
    case script(String, file: String)
    case closure(@Sendable (Connection) throws -> Void)
}

extension SchemaAction {
    init(_ step: any SchemaStep) {
        self =
            (step as? any ActionStep)?.action ?? (step as? any AnnexStep).map { .annex($0) }
            ?? .refused("\(type(of: step))")
    }

    /// Returns an action that throws, for a step that another module has declared.
    static func refused(_ type: String) -> Self {
        .closure { _ in
            throw SchemaError.invalid([
                "\(type) is not a step of Squall: list the steps of the library, do not declare others"
            ])
        }
    }

    var isScript: Bool { if case .script = self { true } else { false } }

    /// Whether foreign keys must be off. They can be turned off only before the transaction begins.
    package var needsForeignKeysOff: Bool {
        switch self {
        // With foreign keys on, `DROP TABLE` first deletes the rows, and with them the rows of other tables that refer to
        // them.
        case .dropTable: true
        case .alterTable(_, let alterations): alterations.contains { $0.mayRebuild }
        case .sql(let sql): Self.dropsTable(sql.text)
        case .script(let text, _): Self.dropsTable(text)
        default: false
        }
    }

    /// Returns whether a script contains `DROP TABLE`.
    private static func dropsTable(_ script: String) -> Bool {
        let tokens = SQLTokenizer.tokens(of: script)
        return zip(tokens, tokens.dropFirst()).contains { $0.is("DROP") && $1.is("TABLE") }
    }

    /// `CreateTable contacts`
    package var title: String {
        switch self {
        case .createTable(let table): "CreateTable \(table.name)"
        case .dropTable(let name): "DropTable \(name)"
        case .renameTable(let name, _): "RenameTable \(name)"
        case .createIndex(let index): "CreateIndex \(index.name)"
        case .dropIndex(let name): "DropIndex \(name)"
        case .renameIndex(let name, _): "RenameIndex \(name)"
        case .alterTable(let name, _): "AlterTable \(name)"
        case .createView(let name, _): "CreateView \(name)"
        case .dropView(let name): "DropView \(name)"
        case .createTrigger(let name, _): "CreateTrigger \(name)"
        case .dropTrigger(let name): "DropTrigger \(name)"
        case .annex(let step): step.title
        case .script(_, let file): file
        case .sql, .closure: "Execute"
        }
    }

    /// The text from which the checksum of a version is computed. The content of a closure is not visible, and not part of
    /// it.
    var fingerprint: String {
        // A file can be renamed, and Git may change its line endings.
        if case .script(let text, _) = self { return "Execute: \(text.replacing("\r\n", with: "\n"))\n" }
        let details: String =
            switch self {
            case .createTable(let table): ([table.sql] + table.indexes.map(\.sql)).map(\.text).joined(separator: ";")
            case .renameTable(_, let newName), .renameIndex(_, let newName): newName
            case .createIndex(let index): index.sql.text
            case .alterTable(_, let alterations): alterations.map(\.description).joined(separator: ";")
            case .createView(_, let sql), .createTrigger(_, let sql), .sql(let sql): sql.withLiterals.text
            case .annex(let step): step.details
            case .dropTable, .dropIndex, .dropView, .dropTrigger, .script, .closure: ""
            }
        return "\(title): \(details)\n"
    }
}

extension ListBuilder where Element == any SchemaStep {
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message:
            "a version has steps: `CreateTable`, `AlterTable` with changes of columns in it, or `Execute(\"…\")` with SQL"
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> [any SchemaStep] { [] }
}

extension ListBuilder where Element == any AlterTableStep {
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "write `AddColumn`, `ChangeColumn`, `RenameColumn`, `DropColumn`, or another change of the table"
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> [any AlterTableStep] { [] }
}
