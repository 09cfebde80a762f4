import Squall

/// The authorizer of the statements of schema files: it denies what a schema does not need, and records the table that
/// a statement is about.
final class SchemaGuard {
    /// The object that a statement creates, changes or drops.
    enum Subject: Hashable {
        case createdTable(Identifier)
        case createdView(Identifier)
        case alteredTable(Identifier)
        case droppedTable(Identifier)
        case droppedView(Identifier)
    }

    /// The first object that the statement is about, as SQLite reports it.
    private(set) var subject: Subject?
    /// The reason why the statement was denied.
    private(set) var refusal: String?
    /// Whether a statement of a file is being compiled or run.
    var isOn = false

    /// Forgets the last statement.
    func start() {
        (subject, refusal) = (nil, nil)
    }

    /// Replaces what was recorded since.
    func keep(_ subject: Subject?) {
        self.subject = subject
    }

    /// Decides about an action, by the arguments of ``Connection/Authorizer``.
    func answer(_ action: Connection.AuthorizerAction, _ first: String?, _ second: String?)
        -> Connection.AuthorizerResult
    {
        guard isOn else { return .ok }
        subject = subject ?? Self.subject(action, first, second)
        guard let refusal = Self.refusal(action, first, second) else { return .ok }
        self.refusal = self.refusal ?? refusal
        return .deny
    }

    private static func subject(_ action: Connection.AuthorizerAction, _ first: String?, _ second: String?) -> Subject?
    {
        switch action {
        case .createTable, .createTempTable, .createVTable: first.map { .createdTable(Identifier($0)) }
        case .createView, .createTempView: first.map { .createdView(Identifier($0)) }
        // The first argument is the database.
        case .alterTable: second.map { .alteredTable(Identifier($0)) }
        case .dropTable, .dropTempTable, .dropVTable: first.map { .droppedTable(Identifier($0)) }
        case .dropView, .dropTempView: first.map { .droppedView(Identifier($0)) }
        default: nil
        }
    }

    /// Also the hint where SQLite does not have the function.
    static let extensionMessage = "a schema file cannot load an extension: name it in squall.json"

    private static func refusal(_ action: Connection.AuthorizerAction, _ first: String?, _ second: String?) -> String? {
        switch action {
        case .attach: "a schema file cannot attach a database, or write one by VACUUM INTO"
        case .detach: "a schema file cannot detach a database"
        case .transaction:
            "\(first ?? "BEGIN") in a schema file: a file is one transaction, which the library begins and ends"
        case .savepoint: "a savepoint in a schema file: a file is one transaction, which the library begins and ends"
        case .function where second.map(Identifier.init) == "load_extension": extensionMessage
        case .pragma: refusal(ofPragma: Identifier(first ?? ""), isSet: second != nil)
        default: nil
        }
    }

    private static func refusal(ofPragma name: Identifier, isSet: Bool) -> String? {
        if allowedPragmas.contains(name) || !isSet && pragmasOfModules.contains(name) { return nil }
        return "a schema file cannot use PRAGMA \(name)"
    }

    private static let allowedPragmas: Set<Identifier> = [
        "foreign_keys", "defer_foreign_keys", "legacy_alter_table", "user_version", "application_id", "table_info",
        "table_xinfo",
        "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check",
        "integrity_check",
        "quick_check",
    ]
    /// Those that FTS3, FTS5 and R*Tree read.
    private static let pragmasOfModules: Set<Identifier> = ["data_version", "page_size"]
}
