/// A wrong declaration of a table, or a record that does not fit it. The table is the error's
/// ``SQLiteError/subject``.
public enum TableProblem: SQLiteProblem {
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
    /// Thrown when related records are read by a key that SQLite treats as equal to another one, for instance by a collation
    /// that ignores case.
    case unequalKeys(column: String)
    /// Thrown when a record is read whose property for this column cannot be set.
    case readOnlyProperty(column: String)
}

extension TableProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let table = subject.tableName
        return switch self {
        case .noColumns: "the table \"\(table)\" is declared without columns"
        case .repeatedColumn(let column): "the table \"\(table)\" is declared with two columns \"\(column)\""
        case .noPrimaryKey: "the table \"\(table)\" is declared without a primary key"
        case .primaryKeyIsNotFirst:
            "the primary key of the table \"\(table)\" is not its first column: use find(_:key:)"
        case .keyType(let column, let expected, let found):
            "the key \"\(column)\" of the table \"\(table)\" has the type \(expected), not \(found)"
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
        case .unequalKeys(let column):
            """
            the keys of a relation to the table "\(table)" are equal for SQLite, and not byte for byte: the column "\(column)" or \
            the one that refers to it has a collation
            """
        case .readOnlyProperty(let column): "the property of the column \"\(column)\" cannot be set"
        }
    }
}
