/// A column of a ``TableDefinition``, with its constraints.
///
/// It describes what is declared: a column of a file, from ``Connection/tableInfo(_:in:)``, or of a declared table. Use
/// ``Column`` and ``ColumnDef`` to declare one.
public struct ColumnDefinition: Hashable, Codable, Sendable {
    /// The name, without quotes.
    public var name: String
    /// The declared type, as `PRAGMA table_xinfo` reports it; empty for a column without a type. SQLite accepts any text
    /// here. ``sql`` quotes a type that is not words and numbers.
    public var type: String
    /// The primary key clause, if this column alone is the primary key.
    public var primaryKey: PrimaryKey?
    /// The NOT NULL clause; `nil` without one. An `INTEGER PRIMARY KEY` and the key of a table `WITHOUT ROWID` are never NULL.
    public var notNull: NotNull?
    /// The UNIQUE clause of this column alone.
    public var unique: Unique?
    /// The default value: a literal or an expression.
    public var defaultValue: SQL?
    /// The CHECK clauses that are written with the column.
    public var checks: [Check]
    /// The collation by which the column is compared; `nil` for `BINARY`.
    public var collation: String?
    /// The REFERENCES clauses that are written with the column.
    public var references: [ForeignKeyReference]
    /// The expression of a generated column; `nil` for an ordinary column.
    public var generated: Generated?

    public init(
        name: String, type: String = "", primaryKey: PrimaryKey? = nil, notNull: NotNull? = nil, unique: Unique? = nil,
        defaultValue: SQL? = nil, checks: [Check] = [], collation: String? = nil,
        references: [ForeignKeyReference] = [], generated: Generated? = nil
    ) {
        self.name = name
        self.type = type
        self.primaryKey = primaryKey
        self.notNull = notNull
        self.unique = unique
        self.defaultValue = defaultValue
        self.checks = checks
        self.collation = collation
        self.references = references
        self.generated = generated
    }

    /// A clause `PRIMARY KEY`, for instance `PRIMARY KEY ASC ON CONFLICT ABORT AUTOINCREMENT`.
    public struct PrimaryKey: Hashable, Codable, Sendable {
        /// `ASC` or `DESC`; `nil` when the clause has neither.
        public var order: SortOrder?
        /// The action for a row with the same key: `ON CONFLICT …`.
        public var conflict: ConflictResolution?
        /// Whether the keys of deleted rows are never used again: `AUTOINCREMENT`.
        public var isAutoincrement: Bool

        public init(order: SortOrder? = nil, conflict: ConflictResolution? = nil, isAutoincrement: Bool = false) {
            self.order = order
            self.conflict = conflict
            self.isAutoincrement = isAutoincrement
        }
    }

    /// A clause `NOT NULL`.
    public struct NotNull: Hashable, Codable, Sendable {
        /// The action for a row with NULL: `ON CONFLICT …`.
        public var conflict: ConflictResolution?

        public init(conflict: ConflictResolution? = nil) {
            self.conflict = conflict
        }
    }

    /// A clause `UNIQUE`.
    public struct Unique: Hashable, Codable, Sendable {
        /// The action for a row with the same value: `ON CONFLICT …`.
        public var conflict: ConflictResolution?

        public init(conflict: ConflictResolution? = nil) {
            self.conflict = conflict
        }
    }

    /// A clause `CHECK (…)`.
    public struct Check: Hashable, Codable, Sendable {
        /// The name that `CONSTRAINT` gives it, which errors report; `nil` without one.
        public var name: String?
        /// The expression, without its parentheses.
        public var condition: SQL

        public init(name: String? = nil, condition: SQL) {
            self.name = name
            self.condition = condition
        }
    }

    /// A clause `GENERATED ALWAYS AS (…)`.
    public struct Generated: Hashable, Codable, Sendable {
        /// The expression, without its parentheses.
        public var expression: SQL
        /// Whether SQLite stores the value; otherwise it computes the value on each read.
        public var isStored: Bool

        public init(expression: SQL, isStored: Bool = false) {
            self.expression = expression
            self.isStored = isStored
        }
    }
}

/// The order of a column in an index or a key.
public enum SortOrder: String, Hashable, Codable, Sendable {
    /// `ASC`, SQLite's default.
    case ascending = "ASC"
    /// `DESC`
    case descending = "DESC"
}

extension ColumnDefinition {
    /// The column as written in `CREATE TABLE` and `ADD COLUMN`: `"first_name" TEXT NOT NULL`.
    public var sql: SQL {
        let clauses = clauses
        return clauses.isEmpty ? "\(name: name)" : "\(name: name) \(clauses.joined(separator: " "))"
    }

    /// The type and the constraints, in the order in which they follow the name.
    var clauses: [SQL] {
        (type.isEmpty ? [] : [SQL(type: type)]) + constraints.map { $0.sql(ofColumn: name) }
    }
}

extension ColumnDefinition.Check {
    var sql: SQL {
        TableConstraint(name: name, .check(condition)).sql
    }
}

extension ColumnDefinition.Generated {
    func sql(ofColumn name: String) -> SQL {
        let expression = expression.expression(named: "the expression of the generated column \"\(name)\"")
        return "GENERATED ALWAYS AS (\(expression))" + (isStored ? " STORED" : " VIRTUAL")
    }
}

extension SortOrder? {
    /// ` ASC`, ` DESC`, or an empty text.
    var sql: SQL { map { SQL(raw: " \($0.rawValue)") } ?? "" }
}

extension ConflictResolution? {
    /// ` ON CONFLICT …`, or an empty text.
    var sql: SQL { map { SQL(raw: " ON CONFLICT \($0.rawValue)") } ?? "" }
}

/// The declared SQL types for Swift types.
enum SQLType {
    /// Returns the declared type of a column that stores values of a Swift type.
    static func name<Value>(of type: Value.Type) -> String {
        (type as? any ColumnReadable.Type)?.declaredType ?? any
    }

    /// The declared type of a column for several storage classes. SQLite stores values unchanged in a column without a type.
    static let any = ""

    /// The declared type of a column for several storage classes, in a `STRICT` table.
    static let strictAny = "ANY"
}
