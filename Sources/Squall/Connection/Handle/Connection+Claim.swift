import SquallSQLite

extension Connection {
    /// Claims the handle, until the claim is released.
    ///
    /// - Parameter kind: The kind of the error for uses of the connection during the claim.
    func claim(_ handle: OpaquePointer, kind: SQLiteError.Kind) -> ConnectionClaim {
        evictStatements()
        for context in callbackContexts { context.connection = nil }
        // No closure of the user may be called on another thread.
        interruption.removeHandlers(from: handle)
        callbacks.pointee.connection = nil
        let contexts = Array(companions.values) + [interruption, callbackMemory]
        let claim = ConnectionClaim(handle: handle, kind: kind, callbackContexts: contexts)
        state.beginClaim(claim)
        return claim
    }

    /// Takes the handle back after a claim that has ended, or after a rollback that has failed and is repeated here. The
    /// connection does this, because the claim may end on another thread.
    ///
    /// - Returns: The handle; `nil` while it is claimed, when the rollback fails again, or when the connection has none.
    @inline(never)
    func takeBack() -> OpaquePointer? {
        if state.reopenForRollback() != nil {
            rollBackOpenTransaction()
            return openHandle
        }
        guard let handle = state.takeBack() else { return nil }
        // A backup may have replaced the database.
        schemaFits.didCompile()
        callbacks.pointee.connection = .passUnretained(self)
        for context in callbackContexts {
            context.connection = .passUnretained(self)
            context.install(on: handle)
        }
        return handle
    }
}
