import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Opens the connections of a pool, which only read, or the connection of a database that writes.
struct ConnectionFactory: Sendable {
    enum Role {
        case reader, writer
    }

    let role: Role
    let path: String
    let tableLockPolicy: TableLockPolicy
    var flags: Int32
    var configuration: Configuration
    var preparations: Preparations

    /// Opens and prepares a connection.
    ///
    /// - Parameter cancellation: Ends statements of the preparation, and waits for locks.
    func open(_ cancellation: Cancellation? = nil) throws -> Connection {
        let key = configuration.key?.base
        let connection: Connection
        do {
            connection = try openFile(cancellation)
        } catch let error as SQLiteError where error.problem(FileProblem.self) == .wrongKey {
            guard let key, configuration.key?.takeOther(than: key) == true else { throw error }
            connection = try openFile(cancellation)
        }
        try connection.withCancellation(cancellation) { try prepare(connection) }
        return connection
    }

    /// Opens a connection to a copy of a database in memory, and prepares it.
    func openCopy(of data: Data) throws -> Connection {
        let connection = try Connection(":memory:", configuration: configuration)
        if !data.isEmpty { try connection.deserialize(data) }
        try prepare(connection)
        return connection
    }

    private func openFile(_ cancellation: Cancellation?) throws -> Connection {
        try Connection(
            path: path, tableLockPolicy: tableLockPolicy, flags: flags, configuration: configuration,
            cancellation: cancellation
        )
    }

    /// Calls the preparations with a connection. A reader is then prevented from writing: `PRAGMA query_only = 1`.
    func prepare(_ connection: Connection) throws {
        try Preparations.run(preparations.all, on: connection)
        switch role {
        case .reader:
            try Preparations.run(preparations.reader, on: connection)
            try connection.preventWriting()
        case .writer: try Preparations.run(preparations.writer, on: connection)
        }
    }
}

extension Connection {
    /// Sets `query_only`. As a ``Statement``, the PRAGMA took a third of the instructions of opening a database and reading from it:
    /// the first one makes the set of the names of all settings (callgrind, 2026-11-23).
    fileprivate func preventWriting() throws {
        let sql = "PRAGMA query_only = 1"
        let code = sqlite3_exec(try requireHandle(sql: sql), sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }
}

/// The closures that are called with new connections.
struct Preparations: Sendable {
    typealias Closure = @Sendable (Connection) throws -> Void

    /// The closure for every connection, called before the other closures.
    var all: Closure?
    /// The closure for the connection that writes.
    var writer: Closure?
    /// The closure for connections that read.
    var reader: Closure?

    /// Calls a preparation with a new connection.
    ///
    /// - Throws: ``SQLiteError`` when it leaves a transaction open, or closes the connection.
    static func run(_ preparation: Closure?, on connection: Connection) throws {
        guard let preparation else { return }
        try preparation(connection)
        guard !connection.isClosed else {
            throw SQLiteError(DatabaseProblem.preparationClosedConnection)
        }
        guard !connection.isInTransaction else {
            connection.rollBackOpenTransaction()
            throw SQLiteError(
                DatabaseProblem.preparationLeftTransactionOpen,
                hint: "`transaction` commits, or rolls back when its closure throws")
        }
    }
}
