import SquallSQLite

extension Connection {
    /// Runs a hook. The connection cannot be used until the hook returns.
    ///
    /// - Parameter name: The name of the hook in the error of a use.
    func withoutHandle<Result>(during name: StaticString, _ body: () -> Result) -> Result {
        let outer = state
        state.beginHook(name)
        callbacks.pointee.depth &+= 1
        let result = body()
        // `depth` still counts this hook, so that closing is put off until SQLite has returned. In a hook inside a hook, the connection
        // has no handle, and the changes wait for the outer one.
        if state.endHook(outer) { close(nil) }
        if !callbackMemory.changes.isEmpty, let handle = openHandle {
            for change in callbackMemory.changes { change(handle) }
            callbackMemory.changes = []
        }
        callbacks.pointee.depth &-= 1
        return result
    }

    /// Installs or removes callbacks of the handle: now, or when the outermost hook returns. Does nothing for a closed connection, and
    /// during a claim, whose end installs all callbacks again.
    func changeCallbacks(_ change: @escaping (OpaquePointer) -> Void) {
        if let handle {
            change(handle)
        } else if case .inHook = state {
            callbackMemory.changes.append(change)
        }
    }
}
