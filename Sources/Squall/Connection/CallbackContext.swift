/// What SQLite's hooks of a connection call: the owner of one or more of its places for them.
protocol CallbackContext: AnyObject {
    /// The connection, unless something else has its handle, perhaps on another thread.
    var connection: Unmanaged<Connection>? { get set }
}

extension CallbackContext {
    /// Calls a hook. SQLite forbids it to use the connection: what it tries to do with it throws.
    func call<Result>(_ hook: StaticString, _ body: () -> Result) -> Result {
        guard let connection else { return body() }
        return connection._withUnsafeGuaranteedRef { $0.withoutHandle(during: hook, body) }
    }
}
