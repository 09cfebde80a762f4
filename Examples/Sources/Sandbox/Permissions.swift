import Squall

/// Decides what the SQL of a stranger may do. It may read, and keep notes in temporary tables.
final class Permissions {
    /// The reasons for which actions of the last statement were refused.
    private(set) var refusals: [String] = []

    /// SQLite calls the authorizer for each action while it compiles a statement. A refused action makes the statement fail;
    /// an ignored column is read as NULL.
    func decide(
        _ action: Connection.AuthorizerAction, _ object: String?, _ detail: String?, _ database: String?
    ) -> Connection.AuthorizerResult {
        if action == .read, object == "customers", detail == "password" { return .ignore }
        guard let reason = reasonToRefuse(action, object, detail, database) else { return .ok }
        refusals.append(reason)
        return .deny
    }

    func takeRefusals() -> [String] {
        defer { refusals = [] }
        return refusals
    }

    private func reasonToRefuse(
        _ action: Connection.AuthorizerAction, _ object: String?, _ detail: String?, _ database: String?
    ) -> String? {
        switch action {
        case .select, .read, .recursive, .transaction, .savepoint, .copy:
            return nil
        case .function:
            return detail == "load_extension" ? "code of strangers is not loaded" : nil
        case .insert, .update, .delete:
            // The catalog is written by the actions below. Each is judged by itself.
            if object == "sqlite_master" { return nil }
            return database == "temp" ? nil : "the tables of the shop cannot be written"
        case .createTempTable, .createTempIndex, .createTempTrigger, .createTempView,
            .dropTempTable, .dropTempIndex, .dropTempTrigger, .dropTempView:
            return nil
        case .createTable, .createIndex, .createTrigger, .createView, .createVTable:
            return "\(object ?? "it") can only be created as TEMP"
        case .dropTable, .dropIndex, .dropTrigger, .dropView, .dropVTable:
            return "\(object ?? "it") belongs to the shop"
        case .alterTable:
            // The arguments of this action are the database and the table.
            return object == "temp" ? nil : "\(detail ?? "the table") belongs to the shop"
        case .pragma:
            let isQuestion = ["table_info", "index_list", "foreign_key_list"].contains(object)
            return isQuestion ? nil : "PRAGMA \(object ?? "") is not for guests"
        case .attach, .detach:
            return "other files are out of reach"
        case .analyze, .reindex:
            return database == "temp" ? nil : "maintenance is done at night"
        }
    }
}
