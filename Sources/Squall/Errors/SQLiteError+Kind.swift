extension SQLiteError {
    /// The kind of an error, with the values that a caller may want to read.
    ///
    ///     do {
    ///         try database.executeWrite { try $0.run("DELETE FROM orders") }
    ///     } catch let error as SQLiteError where error.kind == .closed(.database) {
    ///         // another thread has closed it
    ///     }
    ///
    /// The errors of SQLite itself differ by their codes; their kind is ``sqlite``. An error that SQL reports for a
    /// function written in Swift has this kind as well, because SQLite keeps only its message and its code.
    public enum Kind: Hashable, Sendable {
        /// Thrown for an error that its code describes: SQLite has reported it, or Squall in the same case.
        case sqlite

        // Connections and databases
        /// Thrown when a closed connection, database or snapshot is used.
        case closed(_ subject: Subject)
        /// Thrown when a connection is used after the closure that received it has returned.
        case connectionReturned
        /// Thrown when a database is used in a child process that was forked after the database was opened.
        case forkedProcess
        /// Thrown when SQLite is configured after it has been used.
        case libraryInUse
        /// Thrown when a database or a snapshot is closed inside one of its closures.
        case closedInsideClosure(_ subject: Subject)
        /// Thrown when a database is used between `suspend()` and `resume()`. The code is `SQLITE_BUSY` (5).
        case suspended
        /// Thrown when a database is suspended inside one of its closures.
        case suspendedInsideClosure
        /// Thrown when no connection was free before this timeout. The code is `SQLITE_BUSY` (5).
        case connectionTimeout(Duration)
        /// Thrown when a read, or another process, blocked a checkpoint of a database for longer than it may wait. The code
        /// is `SQLITE_BUSY` (5).
        case checkpointBlocked
        /// Thrown when the closure of a read does what only a write may do.
        case insideRead(_ violation: ReadViolation)
        /// Thrown when the preparation of a connection closes it.
        case preparationClosedConnection
        /// Thrown when the preparation of a connection uses the database or the pool that opens the connection.
        case usedInPreparation
        /// Thrown when a hook or a handler uses the connection that called it.
        case hookReentrancy(hook: String)
        /// Thrown when a statement, or a wait, is ended before it has finished.
        case interrupted(_ reason: InterruptionReason)

        // Transactions
        /// Thrown by the statements of a transaction that SQLite has rolled back, or that SQL has ended, while its
        /// closure is still running. The code is ``ResultCode/transactionLost``.
        case transactionLost
        /// Thrown when a statement that was on a row is continued after a rollback. The code is
        /// ``ResultCode/transactionLost``.
        case endedByRollback
        /// Thrown when the closure of a write returns with an open transaction, which was rolled back.
        case transactionLeftOpen
        /// Thrown when the preparation of a connection returns with an open transaction, which was rolled back.
        case preparationLeftTransactionOpen

        // Files
        /// Thrown when the file of an open database is not at its path any more.
        case fileMoved(path: String)
        /// Thrown when another file is at the path of an open database.
        case fileReplaced(path: String)
        /// Thrown when a new database is to be created where a file exists.
        case fileExists(path: String)
        /// Thrown when a database is opened as immutable, and this log or journal has changes that its file does not have.
        case unappliedChanges(path: String)
        /// Thrown by `VACUUM INTO` for an empty path and for `:memory:`.
        case vacuumNeedsFile
        /// Thrown when bytes are deserialized into a connection to a file.
        case notInMemory(path: String)
        /// Thrown when a database is serialized or deserialized inside a transaction.
        case serializedInsideTransaction
        /// Thrown when a snapshot of a database in memory or in a temporary file is made inside a read or a transaction.
        case snapshotInsideTransaction
        /// Thrown when a backup cannot begin, and when its connection is used before it has finished.
        case backup(_ problem: BackupProblem)

        // Statements and their parameters
        /// Thrown when SQL for one statement has only blanks and comments.
        case noStatement
        /// Thrown when SQL for one statement has more than one.
        case severalStatements
        /// Thrown when the closure of a query, or a function that a statement calls, uses that statement.
        case statementInUse
        /// Thrown when SQL with an array, which is a table of this process, is to be run elsewhere.
        case arrayElsewhere
        /// Thrown when a session is used after its closure has ended.
        case sessionHasEnded
        /// Thrown when the result that a write has stored with this key cannot be read as the result of the closure. The code
        /// is `SQLITE_MISMATCH` (20).
        case storedResult(key: String, reason: String)
        /// Thrown when the number of values differs from the number of parameters.
        case parameterCount(expected: Int, given: Int)
        /// Thrown when a value is given for a name that none of the parameters has.
        case unknownParameter(name: String)
        /// Thrown when values are given by name, but not for this parameter.
        case missingParameter(name: String)
        /// Thrown when two values are given for one parameter, with and without its prefix.
        case repeatedParameter(name: String)
        /// Thrown when values are given by name, but a parameter has no name.
        case unnamedParameter
        /// Thrown when a statement is run before its parameters have values, or after a `bind` that threw.
        case unboundParameters(count: Int)
        /// Thrown when SQL with interpolated values is given parameters as well.
        case mixedParameters
        /// Thrown when an interpolated value is inside quotes or a comment.
        case valueInsideQuotes
        /// Thrown when SQL has a written parameter beside interpolated values.
        case parameterBesideValues
        /// Thrown when a value of a type that cannot be bound is interpolated or assigned.
        case unbindable(type: String)
        /// Thrown when a value cannot be stored, such as NaN or a date too far away.
        case unstorable(type: String, reason: ValueProblem)
        /// Thrown when SQL, a name or a path has a NUL character, at which SQLite would end it.
        case nulCharacter(in: NulCharacterPlace)
        /// Thrown by a query for a dictionary of values that must be read from one column each, such as a dictionary of
        /// a `Decodable` type.
        case notMadeOfRows(type: String)
        /// Thrown by a query for a dictionary of pairs, if its rows do not have two columns.
        case notPairs(type: String, columnCount: Int)
        /// Thrown by a query for tuples, if its rows do not have a column for each type.
        case columnCount(expected: Int, found: Int)
        /// Thrown by the overloads that only explain a compile error, and cannot be called.
        case unavailable

        // Functions
        /// Thrown when a function is added whose name has more than 255 bytes.
        case functionNameTooLong(byteCount: Int)
        /// Thrown when a function is added with more than 127 arguments.
        case tooManyArguments(count: Int)
        /// Thrown when a function or a collation is added or removed while one of the connection is running.
        case changedDuringCall(name: String)
        /// Thrown when a connection is opened, and the SQLite library was built without threads.
        case threadsMissing
        /// Thrown when the SQLite library was built without the pre-update hook.
        case preUpdateHookMissing
        /// Thrown when the SQLite library was built without `sqlite3_serialize`.
        case serializationMissing
        /// Thrown when a full-text search is used, also by SQL, and the SQLite library was built without FTS5.
        case fullTextSearchMissing
        /// Thrown when a tokenizer emits a token for a range that is not in the text, splits a character, or begins before the
        /// previous one.
        case tokenRange(Range<Int>, byteCount: Int)
        /// Thrown when a tokenizer emits a token without bytes.
        case emptyToken
        /// Thrown when a search function uses a column, a phrase or an instance that the match does not have.
        case noSuchMatchPart(String, index: Int)
        /// Thrown when a search function is called with another number of arguments than its closure takes.
        case searchArgumentCount(function: String, expected: Int, given: Int)
        /// Thrown when a search function uses the state of its query inside a closure that changes it.
        case searchStateInUse
        /// Thrown for a wrong declaration of a search table.
        case searchTable(_ name: String, _ problem: SearchTableProblem)
        /// Thrown when the SQLite library was built without the loading of extensions, as Apple's is.
        case extensionLoadingMissing
        /// Thrown when the library of an extension cannot be loaded. The message is that of the loader, or of the extension.
        case extensionNotLoaded(path: String, _ problem: ExtensionProblem)
        /// Thrown when an R*Tree is used, also by SQL, and the SQLite library was built without R*Tree.
        case spatialTablesMissing
        /// Thrown when the declaration of an R*Tree, a box or an entry of it is invalid.
        case spatialTable(_ name: String, _ problem: SpatialProblem)
        /// Thrown when the closure of a spatial function returns a negative score, or NaN.
        case invalidScore(function: String)

        // Large values
        /// Thrown when a value cannot be opened, read or written in parts.
        case blob(_ place: BlobPlace, _ problem: BlobProblem)

        // Recorded changes
        /// Thrown when the SQLite library was built without sessions.
        case sessionsMissing
        /// Thrown when the changes of a table cannot be recorded.
        case recording(table: String?, _ problem: RecordingProblem)
        /// Thrown when a changeset is damaged, or cannot be combined or applied.
        case changeset(_ problem: ChangesetProblem)
        /// Thrown when an undo history cannot be made, or cannot undo or redo a step.
        case undo(_ problem: UndoProblem)
        /// Thrown when a log of changes cannot be made, read or merged.
        case sync(_ problem: SyncProblem)

        // Tables
        /// Thrown when the declaration of a table is invalid, or lacks something that a verb needs.
        case table(_ name: String, _ problem: TableProblem)
        /// Thrown when a record is read whose property for this column cannot be set.
        case readOnlyProperty(column: String)
        /// Thrown when a storage is given a record of a type that has no declared table.
        case unknownRecord(type: String)
        /// Thrown when values that are stored in different forms are compared or assigned.
        case differentForms(sql: String)
        /// Thrown when a relation compares columns that are declared with different collations.
        case differentCollations(sql: String)
        /// Thrown when SQL would compute with the stored values of a column that has a ``StorageForm``, as in `$0.number + 1`, or
        /// would order the texts of a `Decimal`, as in `$0.price < 20`.
        case computedForm(sql: String, form: String)
        /// Thrown when a column of bytes is searched as a JSON array.
        case notJSON(sql: String)
        /// Thrown when a query names a property of a column's value, such as `$0.name.hashValue`.
        case nestedInColumn(sql: String, property: String)
        /// Thrown when a query names a property of an optional property in another way than `$0[\.address?.city]`.
        case optionalProperty(outer: String, inner: String)
        /// Thrown when clauses are added, inside a closure of an outer query, to a query that began before and has a table of the
        /// same name. Begin it inside the closure, add its clauses outside, or give its table another name with `as`.
        case hiddenTable(name: String)
        /// Thrown when a query has two common table expressions of one name, or one with the name of a table, and when an upsert updates
        /// a table with the name `excluded`.
        case repeatedTableName(String)
        /// Thrown when the step of a recursive query combines queries with another operator than that of the recursion.
        case recursionOperator(step: String, recursion: String)
        /// Thrown when a limit or an offset is negative. SQLite would treat the limit as none.
        case negativeLimit(Int)
        /// Thrown when a query is read in pages that has more than a condition and an order of expressions. It has the query,
        /// or the term of the order that is SQL.
        case notPageable(sql: String)
        /// Thrown when the cursor of a page belongs to a query with another order than this one.
        case cursorOfOtherOrder(sql: String)
        /// Thrown when a page is to have less than one row.
        case pageSize(Int)
        /// Thrown when an expression divides by a literal 0.
        case divisionByZero
        /// Thrown when an update sets something other than a column.
        case notAColumn(sql: String)
        /// Thrown when an update sets a column twice, of which SQLite would ignore the first.
        case assignedTwice(column: String)
        /// Thrown when an update sets no column.
        case noAssignments(table: String?)
    }
}
