/// A step of a ``Version``: ``CreateTable``, ``AlterTable``, ``Execute`` and so on. All steps are types of the library.
public protocol SchemaStep: Sendable {}

/// A step with its action, which is internal.
protocol ActionStep: SchemaStep {
    var action: SchemaAction { get }
}

/// The action of a ``SchemaStep``.
enum SchemaAction: Sendable {
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
    case sql(SQL)
    case closure(@Sendable (Connection) throws -> Void)
}

extension SchemaAction {
    init(_ step: any SchemaStep) {
        self = (step as? any ActionStep)?.action ?? .refused("\(type(of: step))")
    }

    /// Returns an action that throws, for a step that another module has declared.
    static func refused(_ type: String) -> Self {
        .closure { _ in
            throw SchemaError.invalid([
                "\(type) is not a step of Squall: list the steps of the library, do not declare others"
            ])
        }
    }

    /// Whether foreign keys must be off. They can be turned off only before the transaction begins.
    var needsForeignKeysOff: Bool {
        switch self {
        // With foreign keys on, `DROP TABLE` first deletes the rows, and with them the rows of other tables that refer to
        // them.
        case .dropTable: true
        case .alterTable(_, let alterations): alterations.contains { $0.mayRebuild }
        default: false
        }
    }

    /// `CreateTable contacts`
    var title: String {
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
        case .sql, .closure: "Execute"
        }
    }

    /// The text from which the checksum of a version is computed. The content of a closure is not visible, and not part of
    /// it.
    var fingerprint: String {
        let details: String =
            switch self {
            case .createTable(let table): ([table.sql] + table.indexes.map(\.sql)).map(\.text).joined(separator: ";")
            case .renameTable(_, let newName), .renameIndex(_, let newName): newName
            case .createIndex(let index): index.sql.text
            case .alterTable(_, let alterations): alterations.map(\.description).joined(separator: ";")
            case .createView(_, let sql), .createTrigger(_, let sql), .sql(let sql): sql.withLiterals.text
            case .dropTable, .dropIndex, .dropView, .dropTrigger, .closure: ""
            }
        return "\(title): \(details)\n"
    }
}
