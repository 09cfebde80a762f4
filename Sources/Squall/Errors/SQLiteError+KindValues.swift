extension SQLiteError {
    /// An object that can be closed.
    public enum Closable: Hashable, Sendable {
        /// A ``Connection``.
        case connection
        /// A ``Database``, with its queue and its pool.
        case database
        /// A ``ReadSnapshot``.
        case snapshot
    }

    /// A feature that an SQLite library can be built without.
    public enum LibraryFeature: Hashable, Sendable {
        /// The use of SQLite by more than one thread, without which no connection is opened.
        case threads
        /// The pre-update hook.
        case preUpdateHook
        /// Sessions, which record changes.
        case sessions
        /// `sqlite3_serialize` and `sqlite3_deserialize`.
        case serialization
        /// The loading of extensions, which Apple's SQLite does not have.
        case extensionLoading
        /// Full-text search by FTS5.
        case fullTextSearch
        /// R*Tree.
        case spatialTables
    }

    /// An action that a read does not allow.
    public enum ReadViolation: Hashable, Sendable {
        /// Thrown when a statement writes. The code is ``ResultCode/readOnly``.
        case statement
        /// Thrown for a PRAGMA that only the writer may run, such as `PRAGMA journal_mode = OFF`.
        case pragma
        /// Thrown when a checkpoint is run.
        case checkpoint
        /// Thrown when a write of the same database begins inside the closure of the read.
        case write
    }

    /// The reason why a statement or a wait was ended.
    public enum InterruptionReason: Hashable, Sendable {
        /// Thrown when the deadline passed before a connection was free, while a statement was running, or was waiting for a lock.
        case deadline
        /// Thrown when a statement ran longer than ``Configuration/timeLimit``.
        case timeLimit(Duration)
        /// Thrown inside the closure of a task that was cancelled.
        case cancellation
        /// Thrown inside a closure that was running when its database was suspended, and has used up its grace time.
        case suspension
        /// Thrown when ``Connection/interrupt()`` or another `interrupt` was called, or a progress handler ended the
        /// statement.
        case request
    }

    /// The reason why a value cannot be stored.
    public enum ValueProblem: Hashable, Sendable {
        /// Thrown when a `Decimal` is NaN.
        case notANumber
        /// Thrown when NaN is bound to the parameter with this number. SQLite would store NULL.
        case notANumberForParameter(Int)
        /// Thrown when NaN would become a literal. SQLite would make it NULL.
        case notANumberAsLiteral
        /// Thrown when a number in JSON is set to NaN or to an infinite value.
        case notInJSON
        /// Thrown when an integer of a type wider than 64 bits does not fit into an INTEGER.
        case tooLarge
        /// Thrown when a `Date` is outside the years 0000 to 9999, the range of its text.
        case yearOutOfRange
        /// Thrown when a ``UnixMilliseconds`` is too far away to be counted in milliseconds.
        case tooFarForMilliseconds
        /// Thrown when a value for a column has another type than the column's ``StorageForm`` of this name.
        case otherForm(String)
        /// Thrown for a ``ZeroBlob`` of fewer than no bytes.
        case negativeCount
    }

    /// A place that cannot have a NUL character.
    public enum NulCharacterPlace: Hashable, Sendable {
        /// SQL.
        case sql
        /// A name that `\(name:)` or a helper quotes.
        case identifier
        /// The path of a database to open, or of a copy.
        case path
        /// The path or the name of a database to attach.
        case attachment
        /// The name of the source or the destination of a backup.
        case databaseName
        /// The name of a function.
        case functionName
        /// The name of a collation.
        case collationName
        /// The name of the entry point of an extension.
        case entryPoint
    }
}
