/// What SQLite's hooks of a connection call: the owner of one or more of its places for them.
protocol CallbackContext: AnyObject {
    /// The connection, unless something else has its handle, perhaps on another thread.
    var connection: Unmanaged<Connection>? { get set }

    /// Lets go of the hooks, because the connection is closed: they may be what keeps it.
    func forgetHooks()
}

extension CallbackContext {
    /// Calls a hook. SQLite forbids it to use the connection: what it tries to do with it throws.
    func call<Result>(_ hook: StaticString, _ body: () -> Result) -> Result {
        guard let connection else { return body() }
        return connection._withUnsafeGuaranteedRef { $0.withoutHandle(during: hook, body) }
    }

    /// Calls a hook that may use the connection, because the transaction has ended.
    func callWithConnection(_ body: () -> Void) {
        guard let connection else { return body() }
        connection._withUnsafeGuaranteedRef { connection in
            let depth = connection.transactionDepth
            connection.transactionDepth = 0
            connection.callbacks.pointee.depth &+= 1
            body()
            connection.callbacks.pointee.depth &-= 1
            connection.transactionDepth = depth
        }
    }
}
