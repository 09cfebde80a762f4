import NIOCore

// Messages of the node.
extension RequestMachine {
    mutating func receive(_ message: Message) {
        do {
            switch state {
            case .idle: throw WireError.unsolicitedReply(type: message.type)
            case .closed: return
            case .preparing(let job, let facts): try receivePrepared(message, job, facts)
            case .finalizing(let next, _): try receiveFinalized(message, next)
            case .waiting(let job): try receiveReply(message, job)
            case .rows(let rows): try receiveRows(message, rows)
            case .draining(let draining): try receiveDrained(message, draining)
            }
        } catch {
            close((error as? WireError).map(ClusterError.malformed) ?? (error as? ClusterError) ?? .closed)
        }
    }

    private mutating func receivePrepared(_ message: Message, _ job: Job<Waiter>, _ facts: StatementFacts) throws {
        guard case .statement(let sql, let values, let use) = job.work else { return startNext() }
        if message.type == ReplyType.failure.rawValue {
            fail(job.waiter, ClusterError.refused(try message.failure(sql: sql)))
            return startNext()
        }
        let statement = try message.statement(sql: sql)
        nodeSchema = message.schema
        statements.insert(statement, facts: facts, for: sql)
        do {
            try run(statement, job, values: values, use: use)
        } catch {
            fail(job.waiter, error)
            startNext()
        }
    }

    private mutating func receiveFinalized(_ message: Message, _ next: Job<Waiter>?) throws {
        try message.empty()
        state = .idle
        if let next { start(next) }
        if case .idle = state { startNext() }
    }

    private mutating func receiveReply(_ message: Message, _ job: Job<Waiter>) throws {
        let expected: ReplyType =
            switch job.work {
            case .request(let request), .rows(let request): request.reply
            case .statement: .result
            }
        try message.check(expected)
        // A node that closed the database has forgotten the statements, and gives their identifiers to others.
        if message.type == ReplyType.database.rawValue { statements.removeAll() }
        perform(.resume(job.waiter, .success(.message(message))))
        startNext()
    }

    private mutating func receiveRows(_ message: Message, _ rows: OpenRows<Waiter>) throws {
        if rows.hasEnded { throw WireError.unsolicitedReply(type: message.type) }
        try message.check(.rows)
        var rows = rows
        if message.type == ReplyType.failure.rawValue {
            rows.hasEnded = true
        } else {
            guard let marker = message.rowMarker else { throw WireError.missingRowMarker }
            rows.hasEnded = marker == .done
        }
        rows.parts.append(message)
        state = .rows(rows)
    }

    /// Gives the received rows to their waiter. Called when nothing more can be read at once, so that the waiter gets
    /// many parts at a time.
    mutating func deliverRows() {
        guard case .rows(var rows) = state, let waiter = rows.waiter, !rows.parts.isEmpty else { return }
        perform(.resume(waiter, .success(.rows(rows.parts, isLast: rows.hasEnded))))
        if rows.hasEnded { return startNext() }
        rows.parts = []
        rows.waiter = nil
        rows.isOpen = true
        state = .rows(rows)
    }

    private mutating func receiveDrained(_ message: Message, _ draining: Draining) throws {
        var draining = draining
        draining.bytes += message.body.readableBytes
        switch ReplyType(rawValue: message.type) {
        case .rows:
            draining.sawEnd = message.rowMarker == .done
        case .failure:
            draining.sawEnd = true
        case .empty:
            return endDraining(draining)
        default:
            throw WireError.unexpectedReply(expected: ReplyType.empty.rawValue, found: message.type)
        }
        if draining.bytes > settings.drainLimit { return close(.closed) }
        state = .draining(draining)
    }

    /// Finalizes a statement that was interrupted: it would hold its snapshot of the database until its next use.
    private mutating func endDraining(_ draining: Draining) {
        if !draining.sawEnd, let sql = draining.sql, let statement = statements.remove(sql) {
            send(.finalize(statement: statement.id), .finalizing(next: nil, deadline: draining.deadline))
        } else {
            startNext()
        }
    }
}

extension Message {
    /// Checks that the message has the type, or is a failure.
    fileprivate func check(_ expected: ReplyType) throws(WireError) {
        guard type == expected.rawValue || type == ReplyType.failure.rawValue else {
            throw .unexpectedReply(expected: expected.rawValue, found: type)
        }
    }
}
