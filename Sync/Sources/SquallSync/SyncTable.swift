import Squall
import SquallChanges

/// A table that takes part in the synchronisation of a device or a hub.
///
///     SyncTable("items")
///     SyncTable("prices", conflicts: .hubWins)
///
/// Its primary key is unique on all devices: a UUID, a text, or several columns. SQLite would give the same `INTEGER PRIMARY KEY` to rows of
/// two devices.
public struct SyncTable: Sendable {
    /// The name of the table.
    public let name: String
    /// The rule by which a change of a device and one of the hub are decided that do not fit together. Changes of different columns do.
    public let conflicts: SyncLog.Policy

    /// - Parameters:
    ///   - name: The name of the table.
    ///   - conflicts: The rule. The hub decides; a device uses its own for the changes that it makes while it receives others.
    public init(_ name: String, conflicts: SyncLog.Policy = .hubWins) {
        self.name = name
        self.conflicts = conflicts
    }
}

extension [SyncTable] {
    /// Follows a database as a device or a hub.
    package func follow(
        _ database: Database, origin: String, role: SyncLog.Role, version: Int
    ) async throws -> FollowedLog {
        if isEmpty { throw SQLiteError(SyncSetupProblem.noTables) }
        try await database.read { connection in
            for table in self { try connection.checkKey(of: table.name) }
        }
        return try await SyncLog.follow(
            database, origin: origin, role: role,
            tables: [String: SyncLog.Policy](map { ($0.name, $0.conflicts) }) { first, _ in first }, version: version)
    }

    /// Calls a closure at once, and after each commit that changes one of the tables, until the database is closed or the task is cancelled.
    package func forEachCommit(
        of database: Database, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for table in self {
                group.addTask {
                    // The iterator observes, before the first call.
                    var commits = database.changes(in: .table(table.name)).makeAsyncIterator()
                    repeat { try await body() } while await commits.next() != nil
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }
}

extension Connection {
    /// Throws for a key that SQLite chooses, which is not unique on all devices.
    fileprivate func checkKey(of table: String) throws {
        let types: [String] = try query("SELECT upper(type) FROM pragma_table_info(\(table), 'main') WHERE pk > 0")
        if types == ["INTEGER"] { throw SQLiteError(SyncSetupProblem.integerKey, of: .table(table)) }
    }
}

/// The reason why tables cannot be synchronised. The table is the error's `SQLiteError.subject`.
public enum SyncSetupProblem: SQLiteProblem {
    /// Thrown for a table with an `INTEGER PRIMARY KEY`, which SQLite would give to rows of several devices.
    case integerKey
    /// Thrown for a hub or a device without tables.
    case noTables

    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .integerKey: "rows of two devices would have one INTEGER PRIMARY KEY"
        case .noTables: "no table takes part"
        }
    }

    public func message(of subject: SQLiteError.Subject) -> String {
        "\(message)\(subject.table.map { ": \($0)" } ?? "")"
    }

    public var hint: String? {
        switch self {
        case .integerKey: "use a TEXT or BLOB key with a UUID"
        case .noTables: "name them: SyncTable(\"items\")"
        }
    }
}
