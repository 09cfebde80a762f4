/// What SQLite's hooks of a connection call: the owner of one or more of its places for them.
protocol CallbackContext: AnyObject {
    /// The connection, unless something else has its handle, perhaps on another thread.
    var connection: Unmanaged<Connection>? { get set }

    /// Gives SQLite the callbacks anew, after something else has had the handle, or a hook has changed the hooks.
    func install(on handle: OpaquePointer)

    /// Calls no more hooks but those that hear of the end itself.
    func connectionWillClose()

    /// Lets go of the hooks, which may be what keeps the connection.
    func connectionDidClose()
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
