import Dispatch
import SquallSQLite

extension Database {
    /// Calls a closure with a connection that nothing else uses. It reads the database, and may write the files that the closure attaches:
    /// it checks no constraints, and is not defensive. The preparations have been called with it.
    ///
    /// A database in memory or in a temporary file is copied for it.
    package nonisolated(nonsending) func withSeparateConnection(
        deadline: Duration?, _ body: @Sendable (Connection) throws -> Void
    ) async throws {
        try await intercepted(.read) {
            guard readers !== writer else {
                return try await performWrite(deadline) { try separateCopy(of: $0.connection, body) }
            }
            try await performRead(deadline) { pooled in
                try separateConnection(pooled.connection.interruption.cancellation, body)
            }
        }
    }

    fileprivate func separateConnection(_ cancellation: Cancellation?, _ body: (Connection) throws -> Void) throws {
        var factory = factoryOfCopies
        // An attached file is opened with the flags of the connection. A preparation must not write to a database that is only read.
        if factory.flags & SQLITE_OPEN_READONLY != 0 {
            factory.flags = factory.flags & ~SQLITE_OPEN_READONLY | SQLITE_OPEN_READWRITE
            factory.preparations.writer = nil
        }
        let connection = try openSeparately(factory, cancellation)
        defer { connection.close() }
        try connection.withCancellation(cancellation) { try body(connection) }
    }

    fileprivate func separateCopy(of connection: Connection, _ body: (Connection) throws -> Void) throws {
        let copy = try factoryOfCopies.openCopy(of: bytes(of: connection))
        try copy.withCancellation(connection.interruption.cancellation) { try body(copy) }
    }

    private var factoryOfCopies: ConnectionFactory {
        var factory = writerFactory
        factory.configuration = factory.configuration.forCopies
        return factory
    }
}

extension Database.Blocking {
    /// Calls a closure as ``Database/withSeparateConnection(deadline:_:)`` does.
    package func withSeparateConnection(deadline: Duration?, _ body: (Connection) throws -> Void) throws {
        guard database.readers !== database.writer else {
            return try writeWithoutTransaction(deadline: deadline) { try database.separateCopy(of: $0, body) }
        }
        try read(deadline: deadline) { _ in
            let cancellation = PooledConnection.cancellation()
            defer { cancellation?.end() }
            try database.separateConnection(cancellation, body)
        }
    }
}

extension Configuration {
    /// The configuration of a connection that copies rows as they are.
    fileprivate var forCopies: Configuration {
        var configuration = self
        (configuration.foreignKeys, configuration.checkConstraints, configuration.defensive) = (false, false, false)
        // SQLite accepts such strings in a schema that it reads.
        configuration.doubleQuotedStrings = nil
        (configuration.journalMode, configuration.timeLimit, configuration.autoOptimize) = (nil, nil, false)
        configuration.limits[.attached] = nil
        return configuration
    }
}
