import Squall

/// The rows of a query on a node.
///
/// Parts of some kilobytes are received when they are asked for. Rows that are not read to their end are ended when
/// they are closed or released.
public final class NodeRows {
    /// The names of the columns.
    public let columns: [String]

    private let connection: NodeConnection
    private let sql: String
    private let deadline: Duration?
    private let header: RowPart.Header
    private var part: RowPart?
    /// The messages after `part`, the next one last.
    private var messages: [Message]
    /// Whether the node has sent the last part.
    private var hasEnded: Bool {
        didSet { if hasEnded { use?.endRows() } }
    }
    /// The use of the connection that the rows belong to; `nil` for any.
    private var use: ConnectionUse?

    init(on connection: NodeConnection, sql: String, deadline: Duration?, reply: Reply) throws {
        guard case .rows(let received, let isLast) = reply, let first = received.first else {
            throw ClusterError.closed
        }
        let part = try connection.closingIfMalformed {
            try first.expectRows(of: sql)
            return try RowPart(first)
        }
        // A node begins each part with the columns, and ends it with the row by which it exceeds some kilobytes.
        if part.isEmpty, !part.isLast {
            let error = ClusterError.unsupportedStatement(.columnNames, sql: sql)
            connection.closeSoon(error)
            throw error
        }
        self.connection = connection
        self.sql = sql
        self.deadline = deadline
        self.part = part
        columns = part.header.columns
        header = part.header
        messages = received.dropFirst().reversed()
        hasEnded = isLast
    }

    deinit {
        close()
    }

    /// Makes the rows part of a use of the connection, whose ``ConnectionUse/beginRows()`` was called.
    func belong(to use: ConnectionUse) {
        self.use = use
        if hasEnded { use.endRows() }
    }

    /// Returns the next row, or `nil` after the last.
    public nonisolated(nonsending) func next() async throws -> [BindingValue]? {
        while true {
            if !hasEnded, let use, use.hasEnded { throw ClusterError.transactionEnded }
            if let row = try nextReceived() { return row }
            if hasEnded { return nil }
            try await receive()
        }
    }

    /// Returns all rows that are left.
    public nonisolated(nonsending) func all() async throws -> [[BindingValue]] {
        var rows: [[BindingValue]] = []
        while let row = try await next() { rows.append(row) }
        return rows
    }

    /// Returns the fields of rows, after receiving more if that is needed.
    nonisolated(nonsending) func fields(_ demand: Demand) async throws -> RowFields {
        let rows = RowFields(width: columns.count)
        while true {
            if let use, use.hasEnded, !hasEnded { throw ClusterError.transactionEnded }
            try reading {
                while demand != .first || rows.fields.isEmpty, var part = try nextPart() {
                    defer { self.part = part }
                    try rows.append(&part, limit: demand == .first ? 1 : .max)
                }
            }
            if isAtEnd || demand != .all && !rows.fields.isEmpty { return rows }
            try await receive()
        }
    }

    /// The rows that are wanted.
    enum Demand {
        case first
        /// Those that were received together.
        case some
        case all
    }

    /// Whether there are no more rows.
    var isAtEnd: Bool { hasEnded && messages.isEmpty }

    /// Returns the next row that was received, or `nil` if more must be received. ``next()`` does both.
    public func nextReceived() throws -> [BindingValue]? {
        try reading {
            while var part = try nextPart() {
                defer { self.part = part }
                if let row = try part.next() { return row }
            }
            return nil
        }
    }

    /// Returns the received part that has the next row, or `nil` if more must be received.
    private func nextPart() throws -> RowPart? {
        if let part, !part.isEmpty { return part }
        guard let message = messages.popLast() else { return nil }
        try message.expect(.rows, sql: sql)
        return try RowPart(message, after: header)
    }

    /// Reads received messages. When one is malformed, the rows are at their end.
    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as WireError {
            // A text that is not UTF-8 is in the database. Anything else means that the connection is out of step.
            if case .invalidUTF8 = error { close() } else { connection.closeMalformed(error) }
            hasEnded = true
            part = nil
            messages = []
            throw ClusterError.malformed(error)
        }
    }

    /// Ends the rows. The connection can be used again.
    public func close() {
        part = nil
        messages = []
        if hasEnded { return }
        hasEnded = true
        if let use, use.hasEnded { return }
        connection.abandonRows()
    }

    private nonisolated(nonsending) func receive() async throws {
        do {
            guard case .rows(let received, let isLast) = try await connection.nextRows(deadline: deadline) else {
                throw ClusterError.closed
            }
            messages = received.reversed()
            hasEnded = isLast
        } catch {
            hasEnded = true
            throw error
        }
    }
}

extension Message {
    /// Throws the failure of a query.
    fileprivate func expectRows(of sql: String) throws {
        do {
            try expect(.rows, sql: sql)
        } catch ClusterError.refused(let failure)
            where failure.kind == .sqlite(.error) && NodeFailure.messagesOfSuccess.contains(failure.message)
        {
            throw ClusterError.unsupportedStatement(.noColumns, sql: sql)
        }
    }
}
