/// The owner of one or more SQLite hooks of a connection.
package protocol CallbackContext: AnyObject {
    // Unmanaged: the connection owns its contexts, and sets this to `nil` in its `deinit`.
    /// The connection; `nil` while a claim owns its handle, perhaps on another thread.
    var connection: Unmanaged<Connection>? { get set }

    /// Installs the callbacks again, after a claim, or after a hook has changed the hooks.
    func install(on handle: OpaquePointer)

    /// Removes the callback that receives rows, if the context has one, until ``install(on:)``.
    func stopReceivingRows(on handle: OpaquePointer)

    /// Stops calling hooks, except those that observe the close.
    func connectionWillClose()

    /// Releases the hooks, which may own the connection.
    func connectionDidClose()
}

extension CallbackContext {
    // Unretained: the connection owns its contexts, and closes its handle, which calls them, before it releases them.

    /// The pointer with which SQLite calls the callbacks of the context.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Calls a closure with the context of a callback.
    ///
    /// - Returns: The closure's result; `nil` for a callback without a context.
    @inline(__always)
    static func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: (Self) -> Result) -> Result? {
        pointer.map { Unmanaged<Self>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    package func stopReceivingRows(on handle: OpaquePointer) {}

    /// Calls a hook. SQLite forbids it to use the connection, whose methods throw until the hook returns.
    package func call<Result>(_ hook: StaticString, _ body: () -> Result) -> Result {
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
