import CSQLite

extension Connection {
    /// Runs a pragma to clean up, also after a deadline or an interrupt.
    func runPragma(_ text: String) {
        guard let handle, sqlite3_exec(handle, "PRAGMA \(text)", nil, nil, nil) != SQLITE_OK else { return }
        // An interrupt is in effect until no statement runs.
        endBusyStatements()
        sqlite3_exec(handle, "PRAGMA \(text)", nil, nil, nil)
    }
}
