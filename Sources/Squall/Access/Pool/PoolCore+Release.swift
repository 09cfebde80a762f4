extension PoolCore {
    /// Returns a connection, to the first waiter if there is one. The connection must be clean.
    func release(_ pooled: PooledConnection) {
        let report = pooled.hasReport ? takeReport(of: pooled) : nil
        giveBack(pooled)
        if let report { send(report) }
    }

    private func giveBack(_ pooled: PooledConnection) {
        // A connection that its closure has closed is of no use to others.
        if pooled.connection.lease.isClosed { return discard(pooled) }
        let usage = pooled.takeUsage()
        if pooled.returnsToSlot {
            switch idleSlots.put(pooled, usage) {
            case .accepted: return
            case .acceptedToWatch(let slot): return watch(slot)
            case .refused: pooled.endKeptSnapshot()
            }
        }
        releaseSlowly(pooled, usage)
    }

    @inline(never)
    private func releaseSlowly(_ pooled: PooledConnection, _ usage: IdleSlots.Usage) {
        pooled.returnsToSlot = true
        lock.lock()
        while pooled.hasOldObservers {
            lock.unlock()
            updateObservers(of: pooled)
            lock.lock()
        }
        self.usage += usage
        switch state.release(pooled) {
        case .grant(let waiter):
            let resume = waiter.takeResume()
            lock.unlock()
            resume(.granted(pooled))
        case .close:
            pooled.forgetHandle()
            lock.unlock()
            close([pooled])
        case .keep:
            if state.canResumeSharing, !state.connections.contains(where: \.hasOldObservers) {
                state.resumeSharing()
                _ = idleSlots.setSharing(true)
            }
            let callbacks = takeDueCallbacks()
            lock.unlock()
            for callback in callbacks { callback() }
        }
    }

    /// Closes a leased connection before it is released, even if it is the only one. Another one is then opened in its place.
    func closeNow(_ pooled: PooledConnection) {
        let access = pooled.connection.access
        lock.withLock { pooled.forgetHandle() }
        pooled.close()
        pooled.connection.access = access
        pooled.connection.lease.isClosed = true
        pooled.mustBeReopened = true
    }

    /// Closes a leased connection and returns its permit.
    private func discard(_ pooled: PooledConnection) {
        guard open != nil || pooled.mustBeReopened || lock.withLock({ state.phase == .closed }) else {
            // This is the only connection. Its next user gets the error that it is closed.
            lock.withLock { pooled.forgetHandle() }
            pooled.close()
            pooled.connection.access = .returned
            return release(pooled)
        }
        lock.withLock {
            state.remove(pooled)
            pooled.forgetHandle()
        }
        close([pooled])
    }

    /// Closes connections that were removed from the state, and returns their permits.
    func close(_ closing: [PooledConnection]) {
        let optimizes = lock.withLock { optimizesAtEnd }
        for pooled in closing {
            pooled.close(optimizing: optimizes)
            releasePermit()
        }
    }

    /// Returns a permit without a connection.
    func releasePermit() {
        lock.lock()
        if let waiter = state.releasePermit() {
            let resume = waiter.takeResume()
            lock.unlock()
            return resume(.granted(nil))
        }
        let callbacks = takeDueCallbacks()
        lock.unlock()
        for callback in callbacks { callback() }
    }
}
