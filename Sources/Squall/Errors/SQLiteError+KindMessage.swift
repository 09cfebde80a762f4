extension SQLiteError.Kind {
    /// The message of an error of this kind.
    var message: String {
        switch self {
        case .sqlite: "an error of SQLite"
        case .closed(let object): "the \(object.noun) is closed"
        case .connectionReturned: "the connection was lent to a closure that has returned"
        case .forkedProcess: "the database was opened before this process was forked, and cannot be used in the child"
        case .libraryLacks(let feature): "this SQLite was built without \(feature.noun)"
        case .insideRead(let violation): violation.message
        case .hookReentrancy(let hook): "\(hook.withArticle) cannot use its own connection"
        case .interrupted(let reason): reason.message
        case .transactionLost:
            "the transaction is lost: SQLite has rolled it back, or it was ended by hand; nothing was run"
        case .endedByRollback: "the statement was ended by a rollback"
        case .noStatement: "the SQL has no statement"
        case .severalStatements: "the SQL has more than one statement"
        case .statementInUse:
            "the statement is in use: the closure of its query, and a function that it calls, cannot step, bind or reset it"
        case .arrayElsewhere: "an array is a table of this process: use a list, \\(in: values)"
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
        case .problem(let problem): problem.message
        }
    }
}

extension SQLiteError.Closable {
    var noun: String {
        switch self {
        case .connection: "connection"
        case .database: "database"
        case .snapshot: "snapshot"
        }
    }
}

extension SQLiteError.LibraryFeature {
    fileprivate var noun: String {
        switch self {
        case .threads: "threads"
        case .preUpdateHook: "the pre-update hook"
        case .sessions: "sessions"
        case .serialization: "serialization"
        case .extensionLoading: "the loading of extensions"
        case .fullTextSearch: "FTS5"
        case .spatialTables: "R*Tree"
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

extension String {
    /// `an update hook`, `a trace hook`
    fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self }
}
