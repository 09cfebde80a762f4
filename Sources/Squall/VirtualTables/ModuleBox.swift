import SquallSQLite

/// A module, which SQLite keeps and which makes its tables.
@usableFromInline
final class ModuleBox: KeptObject {
    let name: String
    let use: ModuleUse
    /// Options of the tables: `SQLITE_VTAB_DIRECTONLY` or `SQLITE_VTAB_INNOCUOUS`.
    let risk: Int32?
    let make: (TableArguments) throws -> TableBox
    /// The handle of the connection, which outlives the module.
    var handle: OpaquePointer?

    init(
        name: String, use: ModuleUse, connection: Connection, risk: Int32?,
        make: @escaping (TableArguments) throws -> TableBox
    ) {
        self.name = name
        self.use = use
        self.risk = risk
        self.make = make
        super.init(callbacks: connection.callbacks)
    }

    /// Calls user code, and keeps the error that it throws for the statement.
    ///
    /// - Returns: A result code.
    @inline(__always)
    func run(_ message: inout UnsafeMutablePointer<CChar>?, _ body: () throws -> Int32) -> Int32 {
        callbacks.run(nesting: nestingMessage, body) { report($0, &message) }
    }

    var nestingMessage: String { "\(name) is read from within itself too often" }

    /// Throws if user code has closed the connection, or has undone what the statement writes.
    @inline(__always)
    func checkStatement() throws {
        if callbacks.pointee.mayEndStatement { try callbacks.checkStatement() }
    }

    /// Calls user code that cannot use the connection: SQLite is at work on the statement's plan, or on the transaction, and a
    /// statement that changes these would free memory that SQLite then uses.
    func runWithoutConnection(_ body: () throws -> Int32, report: (any Error) -> Int32) -> Int32 {
        callbacks.withoutConnection(during: "virtual table") {
            callbacks.run(nesting: nestingMessage, body, report: report)
        }
    }

    /// Keeps an error for the statement, and passes its message to SQLite.
    ///
    /// - Returns: A result code.
    @inline(never)
    func report(_ error: any Error, _ message: inout UnsafeMutablePointer<CChar>?) -> Int32 {
        let thrown = ThrownError(error)
        callbacks.pointee.thrownError = thrown
        sqlite3_free(message)
        message = thrown.message.copiedForSQLite()
        // SQLite replaces the message of this code with its own.
        return thrown.code & 0xff == SQLITE_NOMEM ? Callbacks.failureCode : thrown.code
    }
}

extension String {
    /// Returns a copy that SQLite frees; `nil` without memory.
    fileprivate func copiedForSQLite() -> UnsafeMutablePointer<CChar>? {
        withCString { text in
            let count = strlen(text) + 1
            guard let copy = sqlite3_malloc64(UInt64(count)) else { return nil }
            memcpy(copy, text, count)
            return copy.assumingMemoryBound(to: CChar.self)
        }
    }
}
