extension PoolCore {
    /// Whether the last look at the file is too old. Called with the lock.
    func isTimeToLook(_ now: UInt64) -> Bool {
        guard watch != nil else { return false }
        guard now >= nextLook else { return false }
        nextLook = now + timeBetweenLooks
        return true
    }

    @inline(never)
    /// Checks the file, or releases the pooled and throws.
    func look(_ pooled: PooledConnection) throws {
        do {
            try checkFile(for: pooled)
        } catch {
            release(pooled)
            throw error
        }
    }

    /// Checks the file for whoever has a pooled; when it is gone, it is checked for everybody who comes.
    private func checkFile(for pooled: PooledConnection) throws(SQLiteError) {
        pooled.lastLook = CoarseClock.now
        do throws(SQLiteError) {
            try watch?.check()
        } catch {
            lock.withLock { nextLook = 0 }
            idleSlots.lookAgain()
            throw error
        }
    }

    /// Checks the file after a closure that may have committed, once in a tick of the clock.
    ///
    /// - Returns: The error of a commit that is lost with the old file.
    func errorAfterWrite(_ pooled: PooledConnection) -> SQLiteError? {
        guard watch != nil, CoarseClock.now > pooled.lastLook else { return nil }
        do throws(SQLiteError) {
            try checkFile(for: pooled)
            return nil
        } catch {
            return SQLiteError(
                code: error.extendedCode, message: "\(error.message); what was committed is in the old file",
                hint: error.hint
            )
        }
    }
}
