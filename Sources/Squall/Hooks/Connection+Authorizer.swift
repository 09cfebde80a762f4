import SquallSQLite

extension Connection {
    /// An action of a statement, reported while it is prepared. SQLite's documentation of `sqlite3_set_authorizer`
    /// describes the arguments of each action.
    public enum AuthorizerAction: Int32, Sendable, CaseIterable {
        case copy = 0
        case createIndex = 1
        case createTable = 2
        case createTempIndex = 3
        case createTempTable = 4
        case createTempTrigger = 5
        case createTempView = 6
        case createTrigger = 7
        case createView = 8
        case delete = 9
        case dropIndex = 10
        case dropTable = 11
        case dropTempIndex = 12
        case dropTempTable = 13
        case dropTempTrigger = 14
        case dropTempView = 15
        case dropTrigger = 16
        case dropView = 17
        case insert = 18
        case pragma = 19
        case read = 20
        case select = 21
        case transaction = 22
        case update = 23
        case attach = 24
        case detach = 25
        case alterTable = 26
        case reindex = 27
        case analyze = 28
        case createVTable = 29
        case dropVTable = 30
        case function = 31
        case savepoint = 32
        case recursive = 33

        /// The action in SQL: `DROP TABLE` for `dropTable`.
        fileprivate var sqlName: String {
            if self == .createVTable { return "CREATE VIRTUAL TABLE" }
            if self == .dropVTable { return "DROP VIRTUAL TABLE" }
            return "\(self)".reduce(into: "") { name, letter in
                if letter.isUppercase { name += " " }
                name += letter.uppercased()
            }
        }
    }

    /// The decision of an authorizer.
    public enum AuthorizerResult: Hashable, Sendable {
        case ok
        /// The statement throws `SQLITE_AUTH` (23).
        case deny
        /// A column to be read is NULL, and a column to be written is left unchanged. Other actions are carried out.
        case ignore
        /// Another code. SQLite treats it as a malfunction, and the statement throws `SQLITE_ERROR` (1).
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

    /// Decides about every action of a statement while it is prepared. It receives the action, two arguments that
    /// depend on the action, the database, and the innermost trigger or view that causes the action.
    public typealias Authorizer = (AuthorizerAction, String?, String?, String?, String?) -> AuthorizerResult

    /// Adds an authorizer beside others. The strictest decision counts: `custom` before `deny`, `deny` before `ignore`.
    ///
    ///     let token = connection.addAuthorizer { action, _, _, _, _ in
    ///         action == .delete ? .deny : .ok
    ///     }
    ///     …
    ///     token.cancel()
    ///
    /// Adding or cancelling an authorizer makes SQLite re-prepare every statement of the connection, including those
    /// that you prepared earlier, when it next begins. A denied action throws `SQLITE_AUTH` (23); the message names the
    /// action and its object.
    ///
    /// An authorizer cannot use its connection: every call throws. It may add and cancel authorizers for statements that
    /// are prepared later. The connection retains it: capture the connection `weak` or `unowned` in it. An authorizer
    /// that a closure of a ``Database`` adds ends with the closure. On a closed connection, it is never called, and
    /// adding it does not throw. For all connections of a database, see ``Database/addAuthorizer(_:)``.
    @discardableResult
    public func addAuthorizer(_ authorizer: @escaping Authorizer) -> ObserverToken {
        slot(AuthorizerSlot.self).add(authorizer)
    }
}

extension Connection {
    /// Makes SQLite re-prepare every statement of the connection when it next begins: cached statements and those of
    /// the user. A running statement ends unchanged.
    ///
    /// It works by setting an authorizer. Statements that never run again cost nothing.
    func expireStatements(on handle: OpaquePointer) {
        slot(AuthorizerSlot.self).install(on: handle)
    }
}

final class AuthorizerSlot: HookSlot<Connection.Authorizer> {
    override class var event: FollowedEvents { .actions }

    override func willChange() { willChange("authorizer") }

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            // Without this, statements prepared earlier would keep the effects of `ignore`.
            sqlite3_set_authorizer(handle, { _, _, _, _, _, _ in SQLITE_OK }, nil)
            sqlite3_set_authorizer(handle, nil, nil)
            return
        }
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, cause in
                AuthorizerSlot.with(context) {
                    $0.callFollowers {
                        $0.willCompile(
                            CompiledAction(code: action, first: first, second: second, database: database), on: $1)
                    }
                    if $0.hooks.isEmpty { return SQLITE_OK }
                    let action = Connection.AuthorizerAction(rawValue: action) ?? .copy
                    return $0.answer(action, [first, second, database, cause].map { $0.map { String(cString: $0) } })
                } ?? SQLITE_DENY
            },
            pointer
        )
    }

    private func answer(_ action: Connection.AuthorizerAction, _ arguments: [String?]) -> Int32 {
        if connection?._withUnsafeGuaranteedRef({ $0.callbacks.pointee.isInternal }) == true { return SQLITE_OK }
        let answers = call("authorizer") {
            hooks.map { $0(action, arguments[0], arguments[1], arguments[2], arguments[3]) }
        }
        let answer = answers.max { $0.strictness < $1.strictness } ?? .ok
        if answer.strictness > Connection.AuthorizerResult.ignore.strictness {
            connection?.takeUnretainedValue().callbackMemory.denial = description(of: action, arguments)
        }
        return answer.code
    }

    /// Returns a description of an action, such as `DELETE cars in main, by trigger_or_view`.
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
