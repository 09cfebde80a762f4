extension Database {
    @usableFromInline
    func beginRead(until deadline: Deadline?) throws -> Lease {
        if let pooled = try PooledConnection.nested(in: readers, or: writer) { return try beginReadAgain(pooled) }
        let pooled = try readers.acquire(until: deadline, keepsSnapshot: true)
        return try beginRead(on: pooled)
    }

    /// Begins a read on a leased connection. The connection is released when this fails.
    func beginRead(on pooled: PooledConnection) throws -> Lease {
        pooled.enter(.reading)
        do {
            try pooled.beginSnapshot()
        } catch {
            pooled.clean()
            readers.end(pooled)
            throw error
        }
        return Lease(pooled: pooled, kind: .outermost)
    }

    /// Begins a read inside another closure of the thread.
    private func beginReadAgain(_ pooled: PooledConnection) throws -> Lease {
        guard pooled.connection.access == .writing else { return Lease(pooled: pooled, kind: .nested) }
        // A statement that writes has a snapshot, and no transaction can be committed before its end.
        let beginsTransaction = !pooled.connection.isInTransaction && !pooled.connection.hasWriteInProgress
        pooled.connection.access = .reading
        do {
            if beginsTransaction { try pooled.beginSnapshot() }
        } catch {
            pooled.connection.access = .writing
            throw error
        }
        return Lease(pooled: pooled, kind: .insideWrite(beginsTransaction: beginsTransaction))
    }

    @usableFromInline
    func endRead(_ lease: Lease) {
        let pooled = lease.pooled
        switch lease.kind {
        case .nested: return
        case .insideWrite(let beginsTransaction):
            if beginsTransaction { pooled.endSnapshot() }
            pooled.connection.access = .writing
        case .outermost:
            if !readers.keepsSnapshots || !pooled.keepSnapshot() {
                pooled.endSnapshot()
                pooled.clean()
            }
            readers.end(pooled)
        }
    }
}
