import Squall

/// Refuses what a schema file must not do: other files, settings of SQLite, transactions.
final class SchemaGuard {
    /// Whether the statement is the generator's own.
    var isOff = true
    /// The reason why the last statement was refused.
    private(set) var reason: String?
    /// The tables and views that the statement creates or alters.
    private(set) var changed: [Name] = []

    private static let pragmas: Set<String> = [
        "application_id", "case_sensitive_like", "defer_foreign_keys", "foreign_key_check", "foreign_key_list",
        "foreign_keys", "function_list", "index_info", "index_list", "index_xinfo", "legacy_alter_table",
        "recursive_triggers",
        "table_info", "table_list", "table_xinfo", "user_version",
    ]

    /// Forgets the last statement.
    func start() {
        (reason, changed) = (nil, [])
    }

    func decide(
        _ action: Connection.AuthorizerAction, _ first: String?, _ second: String?, _ source: String?
    ) -> Connection.AuthorizerResult {
        guard !isOff else { return .ok }
        switch action {
        case .createTable, .createView, .createVTable, .createTempTable, .createTempView:
            // What a virtual table creates for itself comes after it.
            if changed.isEmpty, let first { changed.append(Name(first)) }
        case .alterTable: if let second { changed.append(Name(second)) }
        case .attach, .detach: return deny("a schema file cannot use other databases or files")
        case .transaction, .savepoint: return deny("each schema file runs in a transaction of its own")
        case .pragma:
            let name = first?.asciiLowercased ?? ""
            if !Self.pragmas.contains(name) { return deny("a schema file cannot use PRAGMA \(name)") }
        case .function:
            if Name(second ?? "") == "load_extension" {
                return deny("a schema file cannot load extensions: squall.json names them")
            }
        default: break
        }
        return .ok
    }

    private func deny(_ reason: String) -> Connection.AuthorizerResult {
        self.reason = reason
        return .deny
    }
}

extension String {
    /// The text with ASCII letters in lower case.
    var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
