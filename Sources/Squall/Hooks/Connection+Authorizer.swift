import SquallSQLite

extension Connection {
    /// What a statement is to do, as it is prepared. What the arguments of the ``Authorizer`` are is in SQLite's documentation
    /// of `sqlite3_set_authorizer`.
    public enum AuthorizerAction: Int32, Sendable, CaseIterable {
        case copy = 0
        case createIndex, createTable, createTempIndex, createTempTable, createTempTrigger, createTempView,
            createTrigger
        case createView, delete, dropIndex, dropTable, dropTempIndex, dropTempTable, dropTempTrigger, dropTempView
        case dropTrigger, dropView, insert, pragma, read, select, transaction, update, attach, detach, alterTable,
            reindex
        case analyze, createVTable, dropVTable, function, savepoint, recursive

        /// `DROP TABLE` for `dropTable`.
        fileprivate var sqlName: String {
            if self == .createVTable { return "CREATE VIRTUAL TABLE" }
            if self == .dropVTable { return "DROP VIRTUAL TABLE" }
            return "\(self)".reduce(into: "") { name, letter in
                if letter.isUppercase { name += " " }
                name += letter.uppercased()
            }
        }
    }

    /// What an authorizer says.
    public enum AuthorizerResult: Hashable, Sendable {
        case ok
        /// The statement throws code 23.
        case deny
        /// A column that would be read is NULL, a column that would be written is left as it is; other actions go on.
        case ignore
        /// Any other code, which SQLite takes for a malfunction: the statement throws code 1.
        case custom(Int32)

        fileprivate var code: Int32 {
            switch self {
            case .ok: SQLITE_OK
            case .deny: SQLITE_DENY
            case .ignore: SQLITE_IGNORE
            case .custom(let code): code
            }
        }
    }

    /// Is asked about every action of a statement when it is prepared: the action, two arguments that depend on it, the database,
    /// and the innermost trigger or view that is the cause.
    public typealias Authorizer = (AuthorizerAction, String?, String?, String?, String?) -> AuthorizerResult

    /// Sets the authorizer, or removes it with `nil`; authorizers that were added stay beside it. Every statement of the
    /// connection, also one that you prepared before, is prepared again when it next begins.
    ///
    /// An action that is denied throws `SQLITE_AUTH` (23), with the action and its object in the message. An authorizer cannot
    /// use its connection: what it tries throws. It can set or remove the authorizer, for the statements that are prepared
    /// after this one. The connection keeps its authorizer: capture the connection `weak` or `unowned` in it.
    ///
    /// - Throws: ``SQLiteError`` when the connection is closed.
    public func authorizer(_ authorizer: Authorizer?) throws {
        if isClosed { throw closedError() }
        slot(AuthorizerSlot.self).set(authorizer)
    }

    /// Adds an authorizer beside others. The strictest answer counts: `custom` before `deny`, `deny` before `ignore`.
    @discardableResult
    public func addAuthorizer(_ authorizer: @escaping Authorizer) -> ObserverToken {
        slot(AuthorizerSlot.self).add(authorizer)
    }
}

extension Connection {
    /// Has SQLite prepare every statement of the connection again when it next begins, the cached ones as well as those of
    /// the user's. One that is running ends as it is.
    ///
    /// Setting an authorizer does that, and costs nothing for the statements that never run again.
    func expireStatements(on handle: OpaquePointer) {
        slot(AuthorizerSlot.self).install(on: handle)
    }
}

private final class AuthorizerSlot: HookSlot<Connection.Authorizer> {
    override func willChange() { willChange("authorizer") }

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            // SQLite itself would keep what the authorizer has ignored in the statements that were prepared before.
            sqlite3_set_authorizer(handle, { _, _, _, _, _, _ in SQLITE_OK }, nil)
            sqlite3_set_authorizer(handle, nil, nil)
            return
        }
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, cause in
                guard let context else { return SQLITE_DENY }
                return Unmanaged<AuthorizerSlot>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.answer(
                        Connection.AuthorizerAction(rawValue: action) ?? .copy,
                        [first, second, database, cause].map { $0.map { String(cString: $0) } }
                    )
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func answer(_ action: Connection.AuthorizerAction, _ arguments: [String?]) -> Int32 {
        if connection?._withUnsafeGuaranteedRef({ $0.callbacks.pointee.isInternal }) == true { return SQLITE_OK }
        let answers = call("authorizer") {
            hooks.map { $0(action, arguments[0], arguments[1], arguments[2], arguments[3]) }
        }
        let answer = answers.max { $0.strictness < $1.strictness } ?? .ok
        if answer.strictness > Connection.AuthorizerResult.ignore.strictness {
            connection?.takeUnretainedValue().denial = description(of: action, arguments)
        }
        return answer.code
    }

    /// `DELETE cars in main, by trigger_or_view`.
    private func description(of action: Connection.AuthorizerAction, _ arguments: [String?]) -> String {
        let object = arguments[..<2].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: action == .read || action == .update ? "." : " ")
        let place = arguments[2].map { " in \($0)" } ?? ""
        let cause = arguments[3].map { ", by \($0)" } ?? ""
        return action.sqlName + (object.isEmpty ? "" : " \(object)") + place + cause
    }
}

extension Connection.AuthorizerResult {
    fileprivate var strictness: Int {
        switch self {
        case .ok: 0
        case .ignore: 1
        case .deny: 2
        case .custom: 3
        }
    }
}
