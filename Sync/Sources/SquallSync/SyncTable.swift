import Squall
import SquallBase
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
    /// At a hub: the condition in SQL of the rows that a principal sees; `nil` for all rows.
    public let visible: String?
    /// At a hub: the condition in SQL of the rows that a principal writes, among those that it sees; `nil` for all of them.
    public let writable: String?

    /// - Parameters:
    ///   - name: The name of the table.
    ///   - conflicts: The rule. The hub decides; a device uses its own for the changes that it makes while it receives others.
    ///   - visible: The condition of the rows that a principal sees, over the columns of the table and subqueries of other tables of the hub:
    ///     `"list IN (SELECT list FROM members WHERE user = :user)"`. Its parameters are the values of the principal. It does not depend on
    ///     time or chance, and does not fail for any row. The rows of other tables that it reads have no NULL in their keys. A device does not use it.
    ///   - writable: The condition of the rows that a principal writes. A change is refused if the row before it, or the row that it makes, does
    ///     not fulfil both conditions. The actions of foreign keys and the triggers of the hub are not judged.
    public init(
        _ name: String, conflicts: SyncLog.Policy = .hubWins, visible: String? = nil, writable: String? = nil
    ) {
        self.name = name
        self.conflicts = conflicts
        self.visible = visible
        self.writable = writable
    }
}

extension [SyncTable] {
    /// Follows a database as a device or a hub.
    ///
    /// - Parameter others: Tables whose changes are recorded, and not sent.
    package func follow(
        _ database: Database, origin: String, role: SyncLog.Role, version: Int, others: [String] = []
    ) async throws -> FollowedLog {
        if isEmpty { throw SQLiteError(SyncSetupProblem.noTables) }
        var names: Set<Identifier> = []
        for table in self where !names.insert(Identifier(table.name)).inserted {
            throw SQLiteError(SyncSetupProblem.namedTwice, of: .table(table.name))
        }
        try await database.read { connection in
            for table in self { try connection.checkKey(of: table.name) }
        }
        let policies = map { ($0.name, $0.conflicts) } + others.map { ($0, .hubWins) }
        return try await SyncLog.follow(
            database, origin: origin, role: role,
            tables: [String: SyncLog.Policy](policies) { first, _ in first }, version: version)
    }
}

extension Database {
    /// Calls a closure at once, and after each commit that changes one of some tables, until the database is closed or the task is cancelled.
    package func forEachCommit(
        in tables: [String], _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for table in tables {
                group.addTask {
                    // The iterator observes, before the first call.
                    var commits = self.changes(in: .table(table)).makeAsyncIterator()
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
    /// Thrown for a table that is named twice.
    case namedTwice
    /// Thrown for a hub or a device without tables.
    case noTables

    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .integerKey: "rows of two devices would have one INTEGER PRIMARY KEY"
        case .namedTwice: "a table is named twice"
        case .noTables: "no table takes part"
        }
    }

    public func message(of subject: SQLiteError.Subject) -> String {
        "\(message)\(subject.table.map { ": \($0)" } ?? "")"
    }

    public var hint: String? {
        switch self {
        case .integerKey: "use a TEXT or BLOB key with a UUID"
        case .namedTwice: nil
        case .noTables: "name them: SyncTable(\"items\")"
        }
    }
}
