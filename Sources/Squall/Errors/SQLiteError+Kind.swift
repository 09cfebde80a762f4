extension SQLiteError {
    /// The kind of an error, with the values that a caller may want to read:
    ///
    ///     catch let error as SQLiteError where error.kind == .closed("the database")
    ///
    /// The errors of SQLite itself differ by their codes; their kind is ``sqlite``.
    public enum Kind: Hashable, Sendable {
        /// An error with a code of SQLite, which says which one it is: reported by SQLite, or by Squall in the same case.
        case sqlite

        // Connections and databases
        /// The connection, the database, the pool or the queue is closed.
        case closed(_ subject: String)
        /// A connection is used after the closure that received it has returned.
        case connectionReturned
        /// A database is used in a child process that was forked after it was opened.
        case forkedProcess
        /// A database or a snapshot is closed inside one of its closures.
        case closedInsideClosure(_ subject: String)
        /// A write inside a read.
        case insideRead(_ action: String)
        /// A closure left a transaction open, which was rolled back.
        case transactionLeftOpen(_ subject: String)
        /// The preparation of a connection closed it.
        case preparationClosedConnection
        /// A hook uses its own connection.
        case hookReentrancy(hook: String)
        /// An operation needs another kind of database: `VACUUM INTO` a file, `deserialize` a connection in memory.
        case unsuitableDatabase(_ reason: String)

        // Statements and their parameters
        /// The SQL has only blanks and comments.
        case noStatement
        /// The SQL has more than one statement.
        case severalStatements
        /// A statement is used by the closure of its query, or by a function that the statement calls.
        case statementInUse
        /// The number of values differs from the number of parameters.
        case parameterCount(expected: Int, given: Int)
        /// None of the parameters has this name.
        case unknownParameter(name: String)
        /// Values are given by name, but not for this parameter.
        case missingParameter(name: String)
        /// One parameter is given two values.
        case repeatedParameter(name: String)
        /// Values are given by name, but a parameter has no name.
        case unnamedParameter
        /// A statement is run before its parameters have values, or after a `bind` that threw.
        case unboundParameters(count: Int)
        /// SQL with interpolated values is given parameters as well.
        case mixedParameters
        /// An interpolated value is inside quotes or a comment.
        case valueInsideQuotes
        /// The SQL has a written parameter beside interpolated values.
        case parameterBesideValues
        /// A value of this type cannot be bound.
        case unbindable(type: String)
        /// A value cannot be stored, such as NaN or a date too far away.
        case unstorable(_ description: String)
        /// A name or a path has a NUL character.
        case nulCharacter(in: String)
        /// The rows of a query cannot become the requested type.
        case unsuitableResult(_ reason: String)
        /// A function or a collation exceeds a limit of SQLite.
        case limit(_ description: String)

        // Tables
        /// The declaration of a table is invalid, or lacks something that a verb needs.
        case table(_ name: String, _ problem: TableProblem)
        /// The property of a column cannot be set.
        case readOnlyProperty(column: String)
        /// This record type has no declared table.
        case unknownRecord(type: String)
        /// Values that are stored in different forms are compared or assigned.
        case differentForms(sql: String)
        /// An expression divides by a literal 0.
        case divisionByZero
        /// Something other than a column is set.
        case notAColumn(sql: String)
        /// An update sets no column.
        case noAssignments(table: String?)
    }

    /// A wrong declaration of a table, or a record that does not fit it.
    public enum TableProblem: Hashable, Sendable {
        case noColumns
        case repeatedColumn(String)
        case noPrimaryKey
        case primaryKeyIsNotFirst
        case keyType(column: String, expected: String, found: String)
        case missingKey(column: String)
        case unknownProperty(String)
        case computedProperty(column: String)
        case columnOrder(column: String, valueOf: String)
        case declaredTwice
    }
}

extension SQLiteError.Kind {
    /// The message of an error of this kind.
    var message: String {
        switch self {
        case .sqlite: "an error of SQLite"
        case .closed(let subject): "\(subject) is closed"
        case .connectionReturned: "the connection was lent to a closure that has returned"
        case .forkedProcess: "the database was opened before this process was forked, and cannot be used in the child"
        case .closedInsideClosure(let subject): "\(subject) cannot be closed inside one of its closures"
        case .insideRead(let action): action
        case .transactionLeftOpen(let subject): "\(subject) has left a transaction open; it was rolled back"
        case .preparationClosedConnection: "the preparation has closed the connection"
        case .hookReentrancy(let hook): "\(hook.withArticle) cannot use its own connection"
        case .unsuitableDatabase(let reason): reason
        case .noStatement: "the SQL has no statement"
        case .severalStatements: "the SQL has more than one statement"
        case .statementInUse:
            "the statement is in use: the closure of its query, and a function that it calls, cannot step, bind or reset it"
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
        case .unstorable(let description): description
        case .nulCharacter(let subject): "\(subject) cannot have a NUL character"
        case .unsuitableResult(let reason): reason
        case .limit(let description): description
        case .table(let name, let problem): problem.message(of: name)
        case .readOnlyProperty(let column): "the property of the column \"\(column)\" cannot be set"
        case .unknownRecord(let type): "the storage has no table of \(type)"
        case .differentForms(let sql): "columns that are stored in different forms: \(sql)"
        case .divisionByZero: "a division by 0"
        case .notAColumn(let sql): "only a column can be set, not \(sql)"
        case .noAssignments(nil): "the update sets no column"
        case .noAssignments(let table?): "the update of \"\(table)\" sets no column"
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
        case .missingKey(let column):
            "the record has no value for \"\(column)\", the primary key of the table \"\(table)\""
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
        }
    }
}

extension String {
    /// `an update hook`, `a trace hook`
    fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self }
}
