extension SQLiteError {
    /// An object that can be closed.
    public enum Subject: Hashable, Sendable {
        /// A ``Connection``.
        case connection
        /// A ``Database``, with its queue and its pool.
        case database
        /// A ``ReadSnapshot``.
        case snapshot
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
        /// Thrown when the deadline passed while a statement was running, or was waiting for a lock.
        case deadline
        /// Thrown when the deadline passed before a connection was free.
        case deadlineWithoutConnection
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

    /// The reason why an extension is not loaded.
    public enum ExtensionProblem: Hashable, Sendable {
        /// Thrown when there is no file at the path, or when it is not a library of this platform.
        case library
        /// Thrown when the library has no function with the name of the entry point.
        case entryPoint
        /// Thrown when the entry point has reported an error.
        case initialization
    }

    /// The reason why an R*Tree cannot be used as declared.
    public enum SpatialProblem: Hashable, Sendable {
        /// Thrown when the declaration has no dimensions, or more than five.
        case dimensions(count: Int)
        /// Thrown when a box has another number of dimensions than the R*Tree, or the source of its triggers has.
        case boxDimensions(expected: Int, found: Int)
        /// Thrown when a coordinate is too large for the form in which the R*Tree stores coordinates.
        case coordinate(Double)
        /// Thrown when the coordinates of a row of the table that an R*Tree follows are not those of a box that fits.
        case source(table: String, id: Int64)
        /// Thrown when the smallest coordinate of a stored box is greater than the largest.
        case entry(id: Int64)
    }

    /// The reason why a backup cannot begin, or why it prevents another use of its connections.
    public enum BackupProblem: Hashable, Sendable {
        /// Thrown when the source and the destination are one connection.
        case sameConnection
        /// Thrown when the source and the destination are one file.
        case sameFile
        /// Thrown when the destination has a transaction open.
        case destinationInTransaction
        /// Thrown when a statement of the destination is on a row.
        case destinationHasBusyStatement
        /// Thrown when the destination is the source of another backup.
        case destinationIsSource
        /// Thrown when a connection is used while it is the destination of a backup that has not finished.
        case unfinishedDestination
        /// Thrown when the source is in memory or in a temporary file, and its connection has a transaction open that
        /// writes. The code is `SQLITE_MISUSE` (21).
        case sourceInTransaction
        /// Thrown when a connection that is the source of a backup that has not finished is deserialized.
        case unfinishedSource
        /// Thrown when the destination of a backup of a ``Database`` has the path `:memory:`, or an empty path.
        case destinationNeedsFile
        /// Thrown when a backup is to copy 0 pages in each step.
        case noPages
    }

    /// A wrong declaration of a search table.
    public enum SearchTableProblem: Hashable, Sendable {
        /// Thrown when a search table is declared without columns.
        case noColumns
        /// Thrown when two columns have this name.
        case repeatedColumn(String)
        /// Thrown for a column whose name FTS5 uses itself: `rank`, `rowid`, or the name of the table.
        case reservedColumn(String)
        /// Thrown when the content is external, and the search table has no source.
        case noSource
        /// Thrown when the source has no column that is its rowid, which VACUUM would change otherwise, or the search table names
        /// another one.
        case noRowID(table: String)
        /// Thrown when the source does not exist.
        case unknownTable(String)
        /// Thrown when the source does not have a column that the search table reads.
        case unknownColumn(String, table: String)
        /// Thrown when a query uses a property that the search table has no column for.
        case unknownProperty(String)
        /// Thrown when the rank or a search function is used where the query has no longer the row of the index.
        case notInQuery
        /// Thrown when a table with the tokenizer `trigram` is searched for a word of less than three characters, which FTS5 would leave
        /// out of the pattern.
        case shortWord(String)
    }

    /// A wrong declaration of a table, or a record that does not fit it.
    public enum TableProblem: Hashable, Sendable {
        /// Thrown when a table is declared without columns.
        case noColumns
        /// Thrown when a table is declared with two columns of this name.
        case repeatedColumn(String)
        /// Thrown when a verb needs a primary key, and the table has none.
        case noPrimaryKey
        /// Thrown by `find` when the primary key is not the first column, whose type `find` takes.
        case primaryKeyIsNotFirst
        /// Thrown by `find` when the key has another type than the primary key.
        case keyType(column: String, expected: String, found: String)
        /// Thrown by `find` when the key has another number of values than the primary key has columns.
        case keyCount(columns: [String], given: Int)
        /// Thrown when a record without a key is updated, deleted or upserted by its key.
        case missingKey(column: String)
        /// Thrown when only the changes of a record are to be written, and its primary key is one of them.
        case changedKey(column: String)
        /// Thrown when an expression uses a property that has no column.
        case unknownProperty(String)
        /// Thrown when the initialiser does not set the property of a column, because it is computed.
        case computedProperty(column: String)
        /// Thrown when the columns are not in the order of the initialiser.
        case columnOrder(column: String, valueOf: String)
        /// Thrown when a storage is given two tables of one record type.
        case declaredTwice
        /// Thrown when related records are read by a key that SQLite treats as equal to another one, for instance by a collation
        /// that ignores case.
        case unequalKeys(column: String)
    }
}
