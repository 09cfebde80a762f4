extension PoolCore {
    /// Returns whether the file must be checked now, and if so, notes the time of the next check. Called with the lock.
    func isFileCheckDue(_ now: UInt64) -> Bool {
        guard file != nil, now >= nextFileCheck else { return false }
        nextFileCheck = now + timeBetweenChecks
        return true
    }

    /// Checks the file for a leased connection, which is released when the check fails.
    @inline(never)
    func checkFile(releasing pooled: PooledConnection) throws {
        do {
            try checkFile(for: pooled)
        } catch {
            pooled.endKeptSnapshot()
            release(pooled)
            throw error
        }
    }

    /// Checks the file for a leased connection. When the check fails, every later lease checks the file.
    private func checkFile(for pooled: PooledConnection) throws(SQLiteError) {
        pooled.lastFileCheck = CoarseClock.now
        do throws(SQLiteError) {
            try file?.check()
        } catch {
            lock.withLock { nextFileCheck = 0 }
            idleSlots.requireFileCheck()
            events?.send(.fileMoved(error))
            throw error
        }
    }

    /// Checks the file after a closure that may have committed, at most once in a tick of the clock.
    ///
    /// - Returns: The error of a commit that is lost with the old file.
    func errorAfterWrite(_ pooled: PooledConnection) -> SQLiteError? {
        guard let file, CoarseClock.now > pooled.lastFileCheck else { return nil }
        do throws(SQLiteError) {
            try checkFile(for: pooled)
            return nil
        } catch {
            return file.errorAfterCommit(error)
        }
    }
}
