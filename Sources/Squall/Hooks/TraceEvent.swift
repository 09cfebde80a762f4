import SquallSQLite

extension Connection {
    /// An event that SQLite reports for a statement or a connection.
    public enum TraceEvent: CustomStringConvertible {
        /// A statement begins: the text with the values of its parameters, and the SQL as it was written. Inside a
        /// trigger, `sql` is a comment: `-- TRIGGER name`.
        case statement(statement: String, sql: String)
        /// A statement has ended: the text with the values of its parameters, and its duration in seconds.
        case profile(statement: String, seconds: Double)
        /// A statement has returned a row: the text with the values of its parameters.
        case row(statement: String)
        /// The connection is being closed.
        case connectionClosed(connection: OpaquePointer)

        /// The bit of ``statement(statement:sql:)`` in a mask.
        public static let statementMask = UInt32(SQLITE_TRACE_STMT)
        /// The bit of ``profile(statement:seconds:)`` in a mask.
        public static let profileMask = UInt32(SQLITE_TRACE_PROFILE)
        /// The bit of ``row(statement:)`` in a mask.
        public static let rowMask = UInt32(SQLITE_TRACE_ROW)
        /// The bit of ``connectionClosed(connection:)`` in a mask.
        public static let connectionClosedMask = UInt32(SQLITE_TRACE_CLOSE)

        static let fullMask = statementMask | profileMask | rowMask | connectionClosedMask

        @_documentation(visibility: internal)
        public var description: String {
            switch self {
            case .statement(let statement, let sql):
                "TraceEvent (Statement): statement: \"\(statement)\", SQL: \"\(sql)\""
            case .profile(let statement, let seconds):
                "TraceEvent (Profile): statement: \"\(statement)\", SQL: \"\(seconds)\""
            case .row(let statement):
                "TraceEvent (Row): \"\(statement)\""
            case .connectionClosed(let connection):
                "TraceEvent (ConnectionClosed): connection: \"\(connection)\""
            }
        }
    }
}
