import SquallSQLite

extension Connection {
    /// Runs a hook, which cannot use the connection.
    func withoutHandle<Result>(during name: StaticString, _ body: () -> Result) -> Result {
        let outer = state
        state.beginHook(name)
        callbacks.pointee.depth &+= 1
        let result = body()
        if state.endHook(outer) { close(nil) }
        if !callbackMemory.changes.isEmpty, let handle = openHandle {
            for change in callbackMemory.changes { change(handle) }
            callbackMemory.changes = []
        }
        callbacks.pointee.depth &-= 1
        return result
    }

    /// Changes callbacks: now, or after the running hook that requests it. Does nothing during a claim, at whose end
    /// all callbacks are installed.
    func changeCallbacks(_ change: @escaping (OpaquePointer) -> Void) {
        if let handle {
            change(handle)
        } else if case .inHook = state {
            callbackMemory.changes.append(change)
        }
    }
}

// MARK: - Internal statements

extension Connection {
    /// Runs a closure whose statements neither the authorizer nor the progress handler can stop: rollbacks, and PRAGMAs
    /// that only read.
    ///
    /// - Parameter isHidden: Trace observers are not called either.
    package func internally<Result>(isHidden: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = callbacks.pointee
        callbacks.pointee.isInternal = true
        callbacks.pointee.isHidden = isHidden
        defer {
            callbacks.pointee.isInternal = outer.isInternal
            callbacks.pointee.isHidden = outer.isHidden
        }
        return try body()
    }

    /// Runs SQL internally, and stores the number that it returns, if any.
    @discardableResult
    func runInternally(
        _ sql: String, on handle: OpaquePointer, isHidden: Bool = false, into value: inout Int
    ) -> Int32 {
        internally(isHidden: isHidden) {
            sqlite3_exec(
                handle, sql,
                { context, _, values, _ in
                    guard let text = values?.pointee.map({ String(cString: $0) }), let number = Int(text) else {
                        return 0
                    }
                    context?.assumingMemoryBound(to: Int.self).pointee = number
                    return 0
                }, &value, nil
            )
        }
    }

    @discardableResult
    package func runInternally(_ sql: String, on handle: OpaquePointer) -> Int32 {
        var value = 0
        return runInternally(sql, on: handle, into: &value)
    }

    /// Returns the number that a PRAGMA returns; `nil` when it fails.
    package func ask(_ pragma: String, on handle: OpaquePointer) -> Int? {
        var value = 0
        return runInternally("PRAGMA \(pragma)", on: handle, isHidden: true, into: &value) == SQLITE_OK ? value : nil
    }
}
