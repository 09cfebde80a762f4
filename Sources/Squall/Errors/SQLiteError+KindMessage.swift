extension SQLiteError.Kind {
    /// The message of an error of this kind.
    var message: String {
        switch self {
        case .sqlite: "an error of SQLite"
        case .closed(let subject): "the \(subject.noun) is closed"
        case .connectionReturned: "the connection was lent to a closure that has returned"
        case .libraryInUse: "SQLite cannot be configured: it has been used already"
        case .forkedProcess: "the database was opened before this process was forked, and cannot be used in the child"
        case .closedInsideClosure(let subject): "a \(subject.noun) cannot be closed inside one of its closures"
        case .suspended: "the database is suspended"
        case .suspendedInsideClosure: "a database cannot be suspended inside one of its closures"
        case .connectionTimeout(let timeout): "no connection was free within \(timeout)"
        case .checkpointBlocked: "a read blocked the checkpoint for too long"
        case .insideRead(let violation): violation.message
        case .preparationClosedConnection: "the preparation has closed the connection"
        case .usedInPreparation: "the preparation of a connection cannot use its own database or pool"
        case .hookReentrancy(let hook): "\(hook.withArticle) cannot use its own connection"
        case .interrupted(let reason): reason.message
        case .transactionLost:
            "the transaction is lost: SQLite has rolled it back, or it was ended by hand; nothing was run"
        case .endedByRollback: "the statement was ended by a rollback"
        case .transactionLeftOpen: "the closure has left a transaction open; it was rolled back"
        case .preparationLeftTransactionOpen: "the preparation has left a transaction open; it was rolled back"
        case .fileMoved(let path): "the database file was deleted or moved: \(path)"
        case .fileReplaced(let path): "the database file was replaced: \(path)"
        case .fileExists(let path): "there is already a file at \(path)"
        case .unappliedChanges(let path): "the database has changes that are not in its file: \(path)"
        case .vacuumNeedsFile: "VACUUM INTO needs a file"
        case .notInMemory(let path): "deserialize needs a connection in memory, and this one is to \(path)"
        case .serializedInsideTransaction: "a database cannot be serialized or deserialized inside a transaction"
        case .snapshotInsideTransaction:
            "a snapshot of a database in memory, which copies it, cannot be made inside a read or a transaction"
        case .backup(let problem): problem.message
        case .noStatement: "the SQL has no statement"
        case .severalStatements: "the SQL has more than one statement"
        case .statementInUse:
            "the statement is in use: the closure of its query, and a function that it calls, cannot step, bind or reset it"
        case .arrayElsewhere: "an array is a table of this process: use a list, \\(in: values)"
        case .sessionHasEnded: "the session is used after its closure has ended"
        case .storedResult(let key, let reason):
            "the result that is stored with the key \"\(key)\" is not one of the closure: \(reason)"
        case .parameterCount(let expected, let given): "Bind expected \(expected) parameters, instead received \(given)"
        case .unknownParameter(let name): "Bind could not find index for key: '\(name)'"
        case .missingParameter(let name): "Bind received no value for parameter '\(name)'"
        case .repeatedParameter(let name): "Bind received two values for parameter '\(name)'"
        case .unnamedParameter: "Bind received values by name, and a parameter of the SQL has no name"
        case .unboundParameters(1): "the parameter has no value"
        case .unboundParameters(let count): "the \(count) parameters have no values"
        case .mixedParameters: "the SQL has interpolated values and was given parameters as well"
        case .valueInsideQuotes: "an interpolated value is inside quotes or a comment of the SQL"
        case .parameterBesideValues: "the SQL has both a written parameter and interpolated values"
        case .unbindable(let type): "a value of type \(type) cannot be bound to a parameter"
        case .unstorable(let type, let problem): problem.message(of: type)
        case .nulCharacter(.sql): "the SQL has a NUL character"
        case .nulCharacter(let place): "\(place.noun) cannot have a NUL character"
        case .notMadeOfRows(let type):
            "\(type) is not made of rows: its keys and values must be read from one column each"
        case .notPairs(let type, let count):
            "\(type) is made of two columns, a key and a value, and the query has \(count)"
        case .columnCount(let expected, let found):
            "the tuple is made of \(expected) columns, and the query has \(found)"
        case .unavailable: "this form cannot be called"
        case .functionNameTooLong(let count): "the name of a function has at most 255 bytes, not \(count)"
        case .tooManyArguments(let count): "a function has at most 127 arguments, not \(count)"
        case .changedDuringCall(let name):
            "functions, collations and modules cannot be changed while one is running: \(name)"
        case .fullTextSearchMissing: "this SQLite was built without FTS5"
        case .tokenRange(let range, let count):
            "a tokenizer emitted the range \(range.lowerBound)..<\(range.upperBound), which is not a range of whole characters of "
                + "the \(count) bytes, or begins before the previous one"
        case .emptyToken: "a tokenizer emitted a token without bytes"
        case .noSuchMatchPart(let part, let index): "the match has no \(part) \(index)"
        case .searchArgumentCount(let function, let expected, let given):
            "\(function)() takes \(expected) arguments after the table, not \(given)"
        case .searchStateInUse: "the state of the query is used inside a closure that changes it"
        case .searchTable(let name, let problem): problem.message(of: name)
        case .threadsMissing: "this SQLite was built without threads"
        case .preUpdateHookMissing: "this SQLite was built without the pre-update hook"
        case .blob(let place, let problem): problem.message(of: place)
        case .sessionsMissing: "this SQLite was built without sessions"
        case .recording(let table, let problem): problem.message(of: table)
        case .changeset(let problem): problem.message
        case .undo(let problem): problem.message
        case .sync(let problem): problem.message
        case .serializationMissing: "this SQLite was built without serialization"
        case .extensionLoadingMissing: "this SQLite was built without the loading of extensions"
        case .extensionNotLoaded(let path, _): "the extension \(path) cannot be loaded"
        case .spatialTablesMissing: "this SQLite was built without R*Tree"
        case .spatialTable(let name, let problem): problem.message(of: name)
        case .invalidScore(let function): "\(function)(): a score is a number that is not negative"
        case .table(let name, let problem): problem.message(of: name)
        case .readOnlyProperty(let column): "the property of the column \"\(column)\" cannot be set"
        case .unknownRecord(let type): "the storage has no table of \(type)"
        case .differentForms(let sql): "columns that are stored in different forms: \(sql)"
        case .differentCollations(let sql): "columns that are compared by different collations: \(sql)"
        case .computedForm(let sql, let form):
            "\(sql) is stored in the form \(form): a query would order and compute with the stored values, which `cast(to:)` returns"
        case .notJSON(let sql): "\(sql) has bytes, and not a JSON array"
        case .nestedInColumn(let sql, let property): "\(sql) has no column for its property \(property)"
        case .optionalProperty(let outer, let inner):
            "\(outer) is optional: the column of its property \(inner) is named as in `$0[\\.outer?.inner]`"
        case .hiddenTable(let name):
            "a query that began before an outer query with a table \"\(name)\" has a table of this name too; begin it inside the closure, or add its clauses outside"
        case .repeatedTableName(let name): "the query has two tables, or common table expressions, named \"\(name)\""
        case .recursionOperator(let step, let recursion):
            "the step of a recursive query combines queries with \(step), which must be \(recursion) as in the recursion"
        case .negativeLimit(let number): "a limit or an offset of \(number)"
        case .notPageable(let sql):
            "only a query on declared tables with a condition and an order of expressions has pages: \(sql)"
        case .cursorOfOtherOrder(let sql): "the cursor of the page belongs to another order than \(sql)"
        case .pageSize(let size): "a page has at least 1 row, not \(size)"
        case .divisionByZero: "a division by 0"
        case .notAColumn(let sql): "only a column can be set, not \(sql)"
        case .assignedTwice(let column): "the update sets \"\(column)\" twice"
        case .noAssignments(nil): "the update sets no column"
        case .noAssignments(let table?): "the update of \"\(table)\" sets no column"
        }
    }
}

extension SQLiteError.SearchTableProblem {
    func message(of table: String) -> String {
        switch self {
        case .noColumns: "the search table \"\(table)\" has no columns"
        case .repeatedColumn(let column): "the search table \"\(table)\" has two columns \"\(column)\""
        case .reservedColumn(let column): "FTS5 uses the name \"\(column)\" itself in the search table \"\(table)\""
        case .noSource: "the search table \"\(table)\" has external content, and no table to read it from"
        case .noRowID(let source):
            """
            the search table "\(table)" needs the INTEGER PRIMARY KEY of the table "\(source)", by which FTS5 finds its rows
            """
        case .unknownTable(let source): "the table \"\(source)\" of the search table \"\(table)\" does not exist"
        case .unknownColumn(let column, let source):
            "the table \"\(source)\" of the search table \"\(table)\" has no column \"\(column)\""
        case .unknownProperty(let property): "the search table \"\(table)\" has no column for \(property)"
        case .notInQuery: "the search table \"\(table)\" is not in this part of the query"
        case .shortWord(let word):
            "the tokenizer of \"\(table)\" finds words of at least three characters, and not \(word.debugDescription): use LIKE for it"
        }
    }
}

extension SQLiteError.Subject {
    fileprivate var noun: String {
        switch self {
        case .connection: "connection"
        case .database: "database"
        case .snapshot: "snapshot"
        }
    }
}

extension SQLiteError.SpatialProblem {
    fileprivate func message(of name: String) -> String {
        switch self {
        case .dimensions(let count): "the R*Tree \"\(name)\" has 1 to 5 dimensions, not \(count)"
        case .boxDimensions(let expected, let found):
            "a box in the R*Tree \"\(name)\" has \(expected) dimensions, not \(found)"
        case .coordinate(let value): "the R*Tree \"\(name)\" cannot store the coordinate \(value)"
        case .source(let table, let id):
            "the coordinates of the row \(id) of \"\(table)\" do not fit the R*Tree \"\(name)\""
        case .entry(let id): "the entry \(id) of the R*Tree \"\(name)\" is damaged"
        }
    }
}

extension SQLiteError.ReadViolation {
    fileprivate var message: String {
        switch self {
        // As SQLite reports it for a read-only connection.
        case .statement: "attempt to write a readonly database"
        case .pragma: "this statement is not allowed inside a read"
        case .checkpoint: "a checkpoint is not allowed inside a read"
        case .write: "a write cannot begin inside a read of the same database"
        }
    }
}

extension SQLiteError.InterruptionReason {
    fileprivate var message: String {
        switch self {
        case .deadline: "interrupted: the deadline has passed"
        case .deadlineWithoutConnection: "interrupted: the deadline has passed before a connection was free"
        case .timeLimit(let limit): "interrupted: the time limit is \(limit)"
        case .cancellation: "interrupted: the work was cancelled"
        case .suspension: "interrupted: the database is suspended"
        case .request: "interrupted"
        }
    }
}

extension SQLiteError.ValueProblem {
    fileprivate func message(of type: String) -> String {
        switch self {
        case .notANumber: "\(type).nan cannot be stored"
        case .notANumberForParameter(let number):
            "NaN cannot be bound to parameter \(number): SQLite would store NULL"
        case .notANumberAsLiteral: "NaN has no literal: SQLite would make it NULL"
        case .notInJSON: "JSON has no infinite numbers and no NaN"
        case .tooLarge: "a value of \(type) does not fit into an INTEGER"
        case .yearOutOfRange: "the date is not in the years 0000 to 9999 and cannot be stored as text"
        case .tooFarForMilliseconds: "the date is too far away to be counted in milliseconds"
        case .otherForm(let name): "\(type) is not stored as \(name)"
        case .negativeCount: "\(type) has a negative number of bytes"
        }
    }
}

extension SQLiteError.NulCharacterPlace {
    fileprivate var noun: String {
        switch self {
        case .sql: "the SQL"
        case .identifier: "an identifier"
        case .path: "a path"
        case .attachment: "the path or the name of a database"
        case .databaseName: "the name of a database"
        case .functionName: "the name of a function"
        case .collationName: "the name of a collation"
        case .entryPoint: "the name of an entry point"
        }
    }
}

extension SQLiteError.BackupProblem {
    fileprivate var message: String {
        switch self {
        case .sameConnection: "source and destination must be distinct"
        case .sameFile: "source and destination must be distinct: they are one file"
        case .destinationInTransaction, .destinationHasBusyStatement, .destinationIsSource:
            "destination database is in use"
        case .unfinishedDestination: "the connection is the destination of a backup that is not finished"
        case .sourceInTransaction: "the source has a transaction open"
        case .unfinishedSource: "the connection is the source of a backup that is not finished"
        case .destinationNeedsFile: "the backup of a database needs a file as its destination"
        case .noPages: "a backup needs steps of at least one page"
        }
    }
}

extension SQLiteError.TableProblem {
    fileprivate func message(of table: String) -> String {
        switch self {
        case .noColumns: "the table \"\(table)\" is declared without columns"
        case .repeatedColumn(let column): "the table \"\(table)\" is declared with two columns \"\(column)\""
        case .noPrimaryKey: "the table \"\(table)\" is declared without a primary key"
        case .primaryKeyIsNotFirst:
            "the primary key of the table \"\(table)\" is not its first column: use find(_:key:)"
        case .keyType(let column, let expected, let found):
            "the key \"\(column)\" of the table \"\(table)\" is a \(expected), not a \(found)"
        case .keyCount(let columns, let given):
            "the primary key of the table \"\(table)\" is \(columns.map { "\"\($0)\"" }.joined(separator: ", ")), and \(given) value\(given == 1 ? " was" : "s were") given"
        case .missingKey(let column):
            "the record has no value for \"\(column)\", the primary key of the table \"\(table)\""
        case .changedKey(let column):
            "the record has another value for \"\(column)\", the primary key of the table \"\(table)\", than the old one"
        case .unknownProperty(let property): "the table \"\(table)\" has no column for \(property)"
        case .computedProperty(let column):
            """
            the column "\(column)" of the table "\(table)" is a computed property, and does not return what the initialiser \
            was given
            """
        case .columnOrder(let column, let other):
            """
            the columns of the table "\(table)" are not in the order of the initialiser: "\(column)" gets the value of \
            "\(other)"
            """
        case .declaredTwice: "the table \"\(table)\" is the second one of its record type"
        case .unequalKeys(let column):
            """
            the keys of a relation to the table "\(table)" are equal for SQLite, and not byte for byte: the column "\(column)" or \
            the one that refers to it has a collation
            """
        }
    }
}

extension String {
    /// `an update hook`, `a trace hook`
    fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self }
}
