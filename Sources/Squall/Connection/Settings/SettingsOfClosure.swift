import SquallSQLite

/// The settings that a closure of a pool has changed, each with a closure that restores it.
struct SettingsOfClosure {
    /// Restores a setting, and returns whether this succeeded.
    typealias Undoing = (Connection) -> Bool

    private var undoings: [(setting: String, undo: Undoing)] = []

    var isEmpty: Bool { undoings.isEmpty }

    func contains(_ setting: String) -> Bool { undoings.contains { $0.setting == setting } }

    mutating func append(_ setting: String, _ undo: @escaping Undoing) { undoings.append((setting, undo)) }

    /// Removes one setting, which is restored before the others, and returns its closure.
    mutating func take(_ setting: String) -> Undoing? {
        undoings.firstIndex { $0.setting == setting }.map { undoings.remove(at: $0).undo }
    }

    /// Restores all settings, the last one first.
    func undo(on connection: Connection) -> Bool {
        undoings.reversed().reduce(true) { isUndone, entry in entry.undo(connection) && isUndone }
    }
}

extension Connection {
    /// Notes a setting that a closure of a pool is about to change, so that it can be restored. Does nothing outside
    /// such closures.
    ///
    /// - Parameter current: Returns a closure that restores the current value, and returns whether this succeeded.
    package func willChange(_ setting: String, _ current: () throws -> (Connection) -> Bool) rethrows {
        guard access.isForClosure, !lease.settings.contains(setting) else { return }
        lease.settings.append(setting, try current())
    }

    /// Restores the settings that the closure has changed. Called after its transaction has ended.
    ///
    /// - Returns: Whether all settings are restored.
    func undoSettings() -> Bool {
        let settings = lease.settings
        lease.settings = SettingsOfClosure()
        return withOwnAccess { settings.undo(on: self) }
    }

    /// Restores the limits that the closure has set. With them, a ROLLBACK or restoring the other settings could fail.
    func undoLimits() {
        guard let undo = lease.settings.take("limits") else { return }
        _ = withOwnAccess { undo(self) }
    }

    /// Runs a closure to which the restrictions of the current access do not apply.
    func withOwnAccess<Result>(_ body: () -> Result) -> Result {
        let outer = access
        access = .own
        defer { access = outer }
        return body()
    }

    /// Keeps the settings of the closure.
    func keepSettings() { lease.settings = SettingsOfClosure() }
}

// MARK: - Settings by SQL

extension Connection {
    /// Notes the setting that a statement is about to change, if it changes one.
    ///
    /// - Throws: ``SQLiteError`` when the current value cannot be read, as after an interrupt. The statement must not
    ///   run.
    func willPrepare(_ start: StatementStart, on handle: OpaquePointer) throws {
        guard access.isForClosure else { return }
        switch start.setting {
        case .pragma("busy_timeout", _): interruption.willChangeBusyPolicy(of: self)
        case .pragma(let name, _) where PragmaFacts.isOfAllDatabases(name):
            for database in try attachedFiles(on: handle).keys.sorted() + ["main"] {
                let quoted: SQL = "\(name: database)"
                try willSet(name.spelling, of: quoted.text, on: handle)
            }
        case .pragma(let name, let database): try willSet(name.spelling, of: database, on: handle)
        case .databases:
            try willChange("databases") {
                let before = try attachedFiles(on: handle)
                return { $0.restoreDatabases(before) }
            }
        case nil: break
        }
    }

    /// Notes the value of a PRAGMA.
    ///
    /// - Parameter database: The name of the database in SQL.
    private func willSet(_ pragma: String, of database: String?, on handle: OpaquePointer) throws {
        let pragma = pragma.asciiFolded
        let name = database.map { "\($0).\(pragma)" } ?? pragma
        try willChange(name) {
            // `PRAGMA case_sensitive_like` cannot be read.
            let sql = pragma == "case_sensitive_like" ? "SELECT 'a' NOT LIKE 'A'" : "PRAGMA \(name)"
            var value = 0
            let code = runInternally(sql, on: handle, isHidden: true, into: &value)
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, sql: sql) }
            // SQLite treats every number except 0 as ON.
            let text = pragma == "secure_delete" && value == 2 ? "FAST" : "\(value)"
            return { $0.cleanUp("PRAGMA \(name) = \(text)") }
        }
    }

    /// Returns the files of the attached databases, by database name.
    private func attachedFiles(on handle: OpaquePointer) throws -> [String: String] {
        // SQLite lists `temp` once it has been used.
        let attached = try databases(on: handle).filter { $0.name != "main" && $0.name != "temp" }
        return Dictionary(attached.map { ($0.name, $0.file) }) { first, _ in first }
    }

    /// Detaches new databases, and attaches those that were detached.
    ///
    /// - Returns: Whether all databases are attached as before. A database in memory that was detached cannot be
    ///   restored.
    private func restoreDatabases(_ before: [String: String]) -> Bool {
        guard let handle, let now = try? attachedFiles(on: handle) else { return false }
        for (name, file) in now where before[name] != file {
            let detach: SQL = "DETACH DATABASE \(name: name)"
            cleanUp(detach.text)
        }
        for (name, file) in before where now[name] != file && !file.isEmpty {
            attachAgain(file, named: name)
        }
        return self.handle != nil && (try? attachedFiles(on: handle)) == before
    }
}
