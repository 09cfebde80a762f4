import SquallSQLite

extension Statement {
    /// Returns the storage for a single step: a new one if the last row is still referenced.
    @usableFromInline
    func freshStorage() throws -> Row.Storage {
        guard !execution.isInLoop, !isCallingFunction else { throw inUseError }
        callDepth = callbacks.pointee.depth
        if isKnownUniquelyReferenced(&storage), let fresh = storage, fresh.statement != nil {
            current = fresh
            execution.beginReading()
            return fresh
        }
        if let storage, storage.statement == nil { throw abortedError }
        if storage != nil, !isKnownUniquelyReferenced(&storage) {
            storage = storage?.successor(for: handle)
        }
        let fresh = storage ?? Row.Storage(statement: handle)
        storage = fresh
        current = fresh
        execution.beginReading()
        return fresh
    }

    /// Moves the storage to a loop, which holds it in a local variable, where checking whether it is shared is cheap.
    @usableFromInline
    func takeStorage() throws -> Row.Storage {
        let fresh = try freshStorage()
        storage = nil
        fresh.callDepth = callbacks.callDepth
        execution.beginLoop()
        return fresh
    }

    /// Gives a loop a new storage in place of one that a kept row uses.
    @usableFromInline
    func giveNewStorage(to row: inout Row) throws {
        if row.storage.statement == nil { throw abortedError }
        let next = row.storage.successor(for: handle)
        try row.checkCopies()
        row.storage = next
        current = next
    }

    /// Takes the storage back from a loop.
    @usableFromInline
    func putBack(_ row: inout Row) {
        if isKnownUniquelyReferenced(&row.storage), row.storage.statement != nil {
            storage = row.storage
        } else {
            storage = row.storage.successor(for: handle)
        }
        storage?.callDepth = nil
        current = storage
        execution.endLoop()
        if execution.isOnRow { endExecution() }
    }

    /// Resets the statement. A row that is still referenced keeps its values.
    @usableFromInline
    func rewind() {
        guard execution != .idle else { return }
        let isOnRow = execution.rewind()
        returningRows = nil
        if storage != nil, !isKnownUniquelyReferenced(&storage) || storage?.statement == nil {
            storage = storage?.successor(for: handle)
            current = storage
        }
        if isOnRow { endExecution() }
    }

    /// Resets the statement while it is being read. Its rows keep their values, and its next step throws.
    func abandon() {
        detachRow()
        endExecution()
    }

    /// Whether the statement may be in the middle of a step that is calling the current function.
    var isCallingFunction: Bool { callbacks.pointee.depth > callDepth && sqlite3_stmt_busy(handle) != 0 }

    func detachRow() {
        if execution.isOnRow { current?.detach() }
    }
}
