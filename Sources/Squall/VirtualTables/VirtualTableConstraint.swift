import SquallSQLite

/// A condition that a statement sets on a column of a virtual table: `column operator value`.
public struct VirtualTableConstraint: Hashable, Sendable {
    /// The operator of a constraint.
    public enum Operator: Hashable, Sendable {
        case equal, greater, lessOrEqual, less, greaterOrEqual, notEqual
        case match
        case like
        case glob
        case regexp
        case isNull
        case isNotNull
        /// `IS`, which treats NULL as a value.
        case `is`
        case isNot
        /// The number of rows that are read. A plan can use it, and `OFFSET`, if it consumes all conditions, the order, and `OFFSET`.
        case limit
        case offset
        /// A function of two arguments that the virtual table overloads, or an operator of a newer SQLite.
        case other(Int)

        /// Whether the operator is `LIMIT` or `OFFSET`, which are about no column.
        var isOfRows: Bool { self == .limit || self == .offset }

        /// Whether the operator compares values, and not their texts.
        var isComparison: Bool {
            switch self {
            case .equal, .greater, .lessOrEqual, .less, .greaterOrEqual, .notEqual, .is, .isNot: true
            default: false
            }
        }

        init(_ code: UInt8) {
            switch Int32(code) {
            case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
            case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
            case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
            case SQLITE_INDEX_CONSTRAINT_LT: self = .less
            case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
            case SQLITE_INDEX_CONSTRAINT_NE: self = .notEqual
            case SQLITE_INDEX_CONSTRAINT_MATCH: self = .match
            case SQLITE_INDEX_CONSTRAINT_LIKE: self = .like
            case SQLITE_INDEX_CONSTRAINT_GLOB: self = .glob
            case SQLITE_INDEX_CONSTRAINT_REGEXP: self = .regexp
            case SQLITE_INDEX_CONSTRAINT_ISNULL: self = .isNull
            case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: self = .isNotNull
            case SQLITE_INDEX_CONSTRAINT_IS: self = .is
            case SQLITE_INDEX_CONSTRAINT_ISNOT: self = .isNot
            case SQLITE_INDEX_CONSTRAINT_LIMIT: self = .limit
            case SQLITE_INDEX_CONSTRAINT_OFFSET: self = .offset
            default: self = .other(Int(code))
            }
        }
    }

    /// The column's position, from 0; `nil` for the rowid, and for `LIMIT` and `OFFSET`.
    public let column: Int?
    public let operation: Operator
    /// The collation by which SQLite compares, for instance `NOCASE`.
    public let collation: String
    /// The value of the right side, if it is known while SQLite prepares the statement; `nil` otherwise.
    ///
    /// A plan may use it to estimate rows. The scan gets the value that counts.
    public let knownValue: BindingValue?
    /// Whether the constraint is an `IN` whose values a scan can receive all at once; see ``list``.
    public let canBeList: Bool
    let index: Int

    init(
        _ term: sqlite3_index_constraint, at index: Int,
        of info: UnsafeMutablePointer<sqlite3_index_info>
    ) {
        self.index = index
        operation = Operator(term.op)
        column = term.iColumn < 0 || operation.isOfRows ? nil : Int(term.iColumn)
        collation = sqlite3_vtab_collation(info, Int32(index)).map { String(cString: $0) } ?? "BINARY"
        var known: OpaquePointer?
        let isKnown = sqlite3_vtab_rhs_value(info, Int32(index), &known) == SQLITE_OK
        knownValue = isKnown ? known.map { SQLiteValue($0).bindingValue } : nil
        canBeList = sqlite3_vtab_in(info, Int32(index), -1) != 0
    }

    /// How a plan uses a constraint. The scan receives the value of the right side, and of an `IN` each value in a separate scan.
    public struct Use: Hashable, Sendable {
        let index: Int
        var isConsumed = false
        var isList = false
    }

    /// The plan returns fewer rows because of the constraint. SQLite checks the constraint for each row that it gets.
    public var used: Use { Use(index: index) }

    /// The plan returns only rows that meet the constraint, and SQLite need not check it.
    public var consumed: Use { Use(index: index, isConsumed: true) }

    /// The scan receives all values of an `IN` at once, and returns only rows that meet it.
    ///
    /// It is for a constraint whose ``canBeList`` is `true`.
    public var list: Use { Use(index: index, isConsumed: true, isList: true) }
}
