import SquallSQLite

extension Statement {
    /// The storage for a single step: a new one if somebody has kept the last row.
    @usableFromInline
    func freshStorage() throws -> Row.Storage {
        guard !isInLoop, !isCalling else { throw inUseError }
        depth = callbacks.pointee.depth
        if let storage, storage.statement == nil { throw abortedError }
        if storage != nil, !isKnownUniquelyReferenced(&storage) {
            storage = storage?.successor(for: handle)
        }
        let fresh = storage ?? Row.Storage(statement: handle)
        storage = fresh
        current = fresh
        hasRows = true
        return fresh
    }

    /// Takes the storage out for a loop, which holds it in a local variable: there it is cheap to ask whether it is shared.
    @usableFromInline
    func takeStorage() throws -> Row.Storage {
        let fresh = try freshStorage()
        storage = nil
        isInLoop = true
        return fresh
    }

    /// Gives a loop a new storage in place of one that somebody keeps.
    @usableFromInline
    func replace(_ row: inout Row) throws {
        if row.storage.statement == nil { throw abortedError }
        row.storage = row.storage.successor(for: handle)
        current = row.storage
    }

    /// Takes the storage back from a loop.
    @usableFromInline
    func putBack(_ row: inout Row) {
        if isKnownUniquelyReferenced(&row.storage), row.storage.statement != nil {
            storage = row.storage
        } else {
            storage = row.storage.successor(for: handle)
        }
        current = storage
        isInLoop = false
        if isStepping { endExecution() }
    }

    /// Resets the statement; a row that somebody keeps takes its values with it.
    @usableFromInline
    func rewind() {
        guard hasRows else { return }
        hasRows = false
        writtenRows = nil
        if storage != nil, !isKnownUniquelyReferenced(&storage) || storage?.statement == nil {
            storage = storage?.successor(for: handle)
            current = storage
        }
        if isStepping { endExecution() }
    }

    /// Resets the statement under whoever is reading it: their rows keep their values, and their next step throws.
    func abandon() {
        detachRow()
        endExecution()
    }

    /// Whether the statement may be in the middle of a step, calling the function that asks.
    var isCalling: Bool { callbacks.pointee.depth > depth && sqlite3_stmt_busy(handle) != 0 }

    func detachRow() {
        if isStepping { current?.detach() }
    }
}
