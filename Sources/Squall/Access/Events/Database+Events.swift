extension Database {
    /// Adds an observer that is called with the events of the database: waits, checkpoints, limits, lost transactions, a
    /// replaced file.
    ///
    ///     let token = database.addEventObserver { event in
    ///         if case .logLimitExceeded(let size, _) = event { print("log: \(size) bytes") }
    ///     }
    ///     …
    ///     token.cancel()
    ///
    /// It is called on the thread or in the task that the event belongs to, on several at the same time, and delays them: hand
    /// over what takes long. It must not use the database. Events of `readerConnectionPool`, of `writerConnectionQueue` and of
    /// snapshots are not all reported.
    ///
    /// While there are observers, `PRAGMA busy_timeout` returns 0, because Squall's busy handler, which measures waits, replaces
    /// SQLite's. The timeout itself stays as it was. `PRAGMA wal_autocheckpoint` returns 0 as well, because Squall runs the
    /// automatic checkpoints. Setting it by a PRAGMA ends their report: use ``Connection/setWALAutoCheckpoint(pages:)``.
    @discardableResult
    public func addEventObserver(_ observer: @escaping @Sendable (DatabaseEvent) -> Void) -> DatabaseObserverToken {
        let number = events.add(observer)
        events.updateSources(makeEventSources)
        return DatabaseObserverToken { [weak self] in
            guard let self else { return }
            events.remove(number)
            events.updateSources(makeEventSources)
        }
    }

    /// Measures calls, and makes the connections report the time for which they wait for locks, and the writer its automatic
    /// checkpoints.
    private func makeEventSources() -> DatabaseObserverToken {
        let connections = addObserver(isForReaders: true) { connection in
            // With a WAL observer, Squall runs the automatic checkpoints, and not SQLite.
            let log = connection.addWALObserver { _, _ in }
            connection.interruption.setMeasuresWaits(true, of: connection)
            return ObserverToken { [unowned connection] in
                log.cancel()
                connection.interruption.setMeasuresWaits(false, of: connection)
            }
        }
        setTiming(true)
        return DatabaseObserverToken { [weak self] in
            self?.setTiming(false)
            connections.cancel()
        }
    }

    private func setTiming(_ isOn: Bool) {
        if writer.fork.isChild { return }
        writer.idleSlots.setTiming(isOn ? .all : .none)
        if readers !== writer { readers.idleSlots.setTiming(isOn ? .sample : .none) }
    }
}

extension DatabaseEvent.Optimization {
    init(_ update: StatisticsUpdate) {
        duration = update.duration
        switch update.result {
        case .success(let done): (statements, error) = (done, nil)
        case .failure(let reason): (statements, error) = ([], reason)
        }
    }
}

extension DatabaseEvent.Checkpoint {
    init(_ run: CheckpointRun) {
        mode = Connection.CheckpointMode.allCases.first { $0.rawValue == run.mode } ?? .passive
        isAutomatic = run.isAutomatic
        duration = run.duration
        switch run.result {
        case .success(let frames):
            result = Connection.CheckpointResult(
                logFrames: frames.logFrames, checkpointedFrames: frames.checkpointedFrames)
            error = nil
        case .failure(let reason):
            result = nil
            error = reason
        }
    }
}
