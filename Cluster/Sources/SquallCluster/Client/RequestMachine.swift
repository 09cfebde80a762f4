import NIOCore
import Squall

/// The state of a connection: which request was sent, which ones wait, and whose the next message is.
///
/// It does no I/O. After each event the owner performs the actions of ``takeAction()``.
struct RequestMachine<Waiter: Equatable & Sendable> {
    enum Action {
        case send(Request)
        case resume(Waiter, Result<Reply, any Error>)
        case close(ClusterError)
    }

    enum State {
        case idle
        /// A prepare request of a job was sent.
        case preparing(Job<Waiter>, StatementFacts)
        /// A statement was evicted. The job is next.
        case finalizing(next: Job<Waiter>?, deadline: NIODeadline)
        /// A request with one reply was sent.
        case waiting(Job<Waiter>)
        case rows(OpenRows<Waiter>)
        case draining(Draining)
        case closed(ClusterError)
    }

    var state = State.idle
    var queue: [Job<Waiter>] = []
    var statements: StatementCache
    /// The newest schema that the node is known to understand; `nil` before the first statement.
    var nodeSchema: UInt8?
    private var actions: [Action] = []
    private var performed = 0
    let settings: Settings

    struct Settings {
        var statementCapacity = 64
        /// The number of bytes of abandoned rows that are read to keep the connection.
        var drainLimit = 16 << 20
        var drainTime = TimeAmount.seconds(1)
    }

    init(settings: Settings = Settings()) {
        self.settings = settings
        statements = StatementCache(capacity: settings.statementCapacity)
    }

    /// Returns the next action that is to be performed.
    mutating func takeAction() -> Action? {
        guard performed < actions.count else {
            actions.removeAll(keepingCapacity: true)
            performed = 0
            return nil
        }
        performed += 1
        return actions[performed - 1]
    }

    mutating func perform(_ action: Action) {
        actions.append(action)
    }

    /// Whether more bytes may be read: not while received rows wait for their reader.
    var wantsRead: Bool {
        if case .rows(let rows) = state { return rows.waiter != nil || rows.parts.isEmpty }
        return true
    }

    /// Whether the node is sending rows.
    var awaitsRows: Bool {
        switch state {
        case .rows(let rows): !rows.hasEnded
        case .draining: true
        default: false
        }
    }
}

// Requests.
extension RequestMachine {
    /// Starts a job, or lets it wait for those before it.
    mutating func submit(_ job: Job<Waiter>) {
        switch state {
        case .idle: start(job)
        case .closed(let error): fail(job.waiter, error)
        case .rows(let rows) where rows.isOpen: fail(job.waiter, ClusterError.rowsAreOpen)
        default: queue.append(job)
        }
    }

    mutating func startNext() {
        state = .idle
        while case .idle = state, !queue.isEmpty { start(queue.removeFirst()) }
    }

    mutating func start(_ job: Job<Waiter>) {
        do throws(ClusterError) {
            switch job.work {
            case .request(let request):
                try checkParameterCount(request.values.count)
                send(request, .waiting(job))
            case .rows(let request):
                try checkParameterCount(request.values.count)
                send(request, .rows(OpenRows(job)))
            case .statement(let sql, let values, let use):
                try startStatement(job, sql: sql, values: values, use: use)
            }
        } catch {
            state = .idle
            fail(job.waiter, error)
        }
    }

    private mutating func startStatement(
        _ job: Job<Waiter>, sql: String, values: [BindingValue], use: StatementUse
    ) throws(ClusterError) {
        if let (statement, facts) = statements.statement(for: sql) {
            try facts.check(use, sql: sql)
            return try run(statement, job, values: values, use: use)
        }
        let facts = StatementFacts(sql)
        try facts.check(use, sql: sql)
        if let evicted = statements.evict() {
            send(.finalize(statement: evicted.id), .finalizing(next: job, deadline: job.deadline))
        } else {
            send(.prepare(sql: sql), .preparing(job, facts))
        }
    }

    /// Uses a prepared statement. Its values replace all that were bound before, so their number must be right: a node
    /// keeps the values of an earlier use.
    mutating func run(
        _ statement: PreparedStatement, _ job: Job<Waiter>, values: [BindingValue], use: StatementUse
    ) throws(ClusterError) {
        if use == .prepare {
            perform(.resume(job.waiter, .success(.prepared(statement))))
            return startNext()
        }
        guard statement.parameterCount == values.count else {
            throw .parameterCount(expected: statement.parameterCount, given: values.count)
        }
        try checkParameterCount(values.count)
        if use == .query {
            send(.query(statement: statement.id, values: values), .rows(OpenRows(job)))
        } else {
            send(.execute(statement: statement.id, values: values), .waiting(job))
        }
    }

    private func checkParameterCount(_ count: Int) throws(ClusterError) {
        let limit = Request.maximumOfShortParameters
        if count > limit, nodeSchema ?? 0 == 0 { throw .tooManyParameters(given: count, limit: limit) }
    }

    mutating func send(_ request: Request, _ next: State) {
        state = next
        perform(.send(request))
    }

    mutating func fail(_ waiter: Waiter, _ error: any Error) {
        perform(.resume(waiter, .failure(error)))
    }
}
