import SquallSQLite

extension Connection {
    /// Calls a closure while `EXPLAIN QUERY PLAN` also returns the steps of triggers and of foreign key actions.
    ///
    /// They follow the steps of the statement, and repeat their ids.
    package func withTriggerPlans<Result>(_ body: () throws -> Result) throws -> Result {
        guard let handle else { throw closedError() }
        squall_set_option(handle, SQLITE_DBCONFIG_TRIGGER_EQP, 1)
        // An authorizer may close the connection.
        defer { if let handle = self.handle { squall_set_option(handle, SQLITE_DBCONFIG_TRIGGER_EQP, 0) } }
        return try body()
    }
}
