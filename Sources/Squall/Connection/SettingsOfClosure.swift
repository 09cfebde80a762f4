import SquallSQLite

/// The settings that a closure has changed of a connection that it was lent, each with how it was before.
struct SettingsOfClosure {
    /// Puts a setting back. Returns whether that worked.
    typealias Undoing = (Connection) -> Bool

    private var undoings: [(setting: String, undo: Undoing)] = []

    var isEmpty: Bool { undoings.isEmpty }

    func contains(_ setting: String) -> Bool { undoings.contains { $0.setting == setting } }

    mutating func append(_ setting: String, _ undo: @escaping Undoing) { undoings.append((setting, undo)) }

    /// Takes one setting out, to be put back before the others.
    mutating func take(_ setting: String) -> Undoing? {
        undoings.firstIndex { $0.setting == setting }.map { undoings.remove(at: $0).undo }
    }

    /// Puts all of them back, the last one first.
    func undo(on connection: Connection) -> Bool {
        undoings.reversed().reduce(true) { isUndone, entry in entry.undo(connection) && isUndone }
    }
}

extension Connection {
    /// Notes a setting that a closure is about to change, so that the next one finds it as it was. Does nothing for a connection
    /// that is not lent.
    ///
    /// - Parameter current: Returns how to go back to the current value.
    func willChange(_ setting: String, _ current: () -> SettingsOfClosure.Undoing?) {
        guard access.isForClosure, !settingsOfClosure.contains(setting), let undo = current() else { return }
        settingsOfClosure.append(setting, undo)
    }

    /// Restores the settings that the closure has changed. Called after its transaction has ended.
    ///
    /// - Returns: Whether the connection is as it was before.
    func undoSettings() -> Bool {
        let settings = settingsOfClosure
        settingsOfClosure = SettingsOfClosure()
        let outer = access
        access = .own
        defer { access = outer }
        return settings.undo(on: self)
    }

    /// Puts back the limits that the closure has set: under them a ROLLBACK, or putting back the other settings, could fail.
    func undoLimits() {
        guard let undo = settingsOfClosure.take("limits") else { return }
        let outer = access
        access = .own
        defer { access = outer }
        _ = undo(self)
    }

    /// Lets the settings of the closure stay.
    func keepSettings() { settingsOfClosure = SettingsOfClosure() }
}

// MARK: - Settings by SQL

extension Connection {
    /// Notes the setting that the next statement of a script is about to change, if it is one.
    func willPrepare(_ script: Script, on handle: OpaquePointer) {
        guard access.isForClosure else { return }
        switch script.nextSetting {
        case .pragma("busy_timeout", _): interruption.willChangeBusyPolicy(of: self)
        case .pragma(let pragma, let database):
            let name = database.map { "\($0).\(pragma)" } ?? pragma
            willChange(name) {
                // It has no form that reads it.
                let sql = pragma == "case_sensitive_like" ? "SELECT 'a' NOT LIKE 'A'" : "PRAGMA \(name)"
                var value = 0
                guard runInternally(sql, on: handle, isHidden: true, into: &value) == SQLITE_OK else { return nil }
                return { $0.cleanUp("PRAGMA \(name) = \(value)") }
            }
        case .databases:
            willChange("databases") {
                let before = databaseNames(on: handle)
                return { $0.detachDatabases(but: before) }
            }
        case nil: break
        }
    }

    /// The names of the attached databases.
    private func databaseNames(on handle: OpaquePointer) -> Set<String> {
        let outer = callbacks.pointee
        callbacks.pointee.isInternal = true
        callbacks.pointee.isHidden = true
        defer {
            callbacks.pointee.isInternal = outer.isInternal
            callbacks.pointee.isHidden = outer.isHidden
        }
        var names: Set<String> = []
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "PRAGMA database_list", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 1) { names.insert(String(cString: name)) }
        }
        // SQLite lists `temp` from the time on that it is used.
        return names.subtracting(["main", "temp"])
    }

    /// - Returns: Whether the databases are those that there were.
    private func detachDatabases(but names: Set<String>) -> Bool {
        guard let handle else { return false }
        for name in databaseNames(on: handle).subtracting(names) {
            let detach: SQL = "DETACH DATABASE \(name: name)"
            cleanUp(detach.text)
        }
        return databaseNames(on: handle) == names
    }
}

extension Script {
    /// A setting of the connection that a statement changes.
    enum Setting {
        case pragma(String, database: String?)
        /// The databases that are attached.
        case databases
    }

    /// The setting that the next statement changes.
    var nextSetting: Setting? { text.withCString { Setting($0 + position) } }
}

extension Script.Setting {
    init?(_ sql: UnsafePointer<CChar>?) {
        if let pragma = Pragma(sql) {
            guard pragma.isSetting else { return nil }
            self = .pragma(pragma.name, database: pragma.database)
        } else {
            guard Pragma.word("attach", begins: sql) || Pragma.word("detach", begins: sql) else { return nil }
            self = .databases
        }
    }
}
