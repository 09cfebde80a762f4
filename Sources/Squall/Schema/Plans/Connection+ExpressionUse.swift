import SquallSQLite

/// The functions and tables that a statement uses.
private final class ExpressionUse: ConnectionFollower {
    let events: FollowedEvents = .actions
    private(set) var functions: Set<Identifier> = []
    private(set) var tables: Set<Identifier> = []

    func willCompile(_ action: CompiledAction, on connection: Connection) {
        switch action.code {
        case SQLITE_FUNCTION:
            if let function = action.second { functions.insert(Identifier(String(cString: function))) }
        case SQLITE_READ: if let table = action.first { tables.insert(Identifier(String(cString: table))) }
        default: break
        }
    }
}

extension Connection {
    /// Returns whether a statement made of expressions of a definition does no more than these expressions may in a schema.
    ///
    /// A definition can come from the file of a stranger. In a schema, SQLite does not let its expressions call functions that are
    /// direct-only, or not innocuous if the schema is not trusted, nor read other tables. In a statement of the program, it does.
    ///
    /// - Parameters:
    ///   - sql: The statement, which is prepared, and not run.
    ///   - table: The only table that the statement may read.
    func mayRunAsSchema(_ sql: SQL, on table: String) throws -> Bool {
        let use = ExpressionUse()
        follow(use)
        defer { unfollow(use) }
        _ = try prepare(sql)
        guard use.tables.isSubset(of: [Identifier(table)]) else { return false }
        if use.functions.isEmpty { return true }
        return use.functions.isDisjoint(with: try functionsOutOfReach())
    }

    /// Returns the functions that the schema may not call, with any number of arguments.
    private func functionsOutOfReach() throws -> Set<Identifier> {
        let isTrusted: Bool = try query("PRAGMA trusted_schema")
        // SQLITE_DIRECTONLY and SQLITE_INNOCUOUS
        let names: [String] = try query(
            """
            SELECT DISTINCT name FROM pragma_function_list \
            WHERE flags & 0x80000 OR NOT \(isTrusted) AND NOT flags & 0x200000
            """
        )
        return Set(names.map { Identifier($0) })
    }
}
