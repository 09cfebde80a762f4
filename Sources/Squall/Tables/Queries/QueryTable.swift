/// A table that a query can use: a ``Table``, a ``TableAlias`` or a ``CommonTable``.
///
///     let manager = User.as("manager")
///     User.join(manager) { $0.manager == $1.id }.select { ($0.name, $1.name) }
public protocol QueryTable<Source>: Sendable {
    /// The columns of the table in a query.
    associatedtype Source: QuerySource

    @_documentation(visibility: internal)
    var entry: TableEntry { get }

    /// Returns the columns for a query that uses the table under another name, or under its own.
    @_documentation(visibility: internal)
    func source(named alias: String?) -> Source
}

/// A table in the FROM clause of a query.
@_documentation(visibility: internal)
public final class TableEntry: Sendable {
    let name: String
    /// The name in SQL: `"users"`.
    package let sql: SQL
    /// The name that the program has chosen.
    let alias: String?
    /// The columns of the primary key; none for a common table expression.
    let keys: [KeyColumn]
    /// The reason why the table cannot be used.
    package let failure: (any Error)?
    let kind: Kind

    enum Kind: Sendable {
        /// A table of the schema.
        case table
        /// A search table, which has at most one row for each row of its table.
        case index
        /// A common table expression, which the query must define.
        case common(CommonTableDefinition)
        /// A common table expression in its own definition.
        case recursion

        /// Whether it is a table of the schema.
        var isTable: Bool {
            switch self {
            case .table, .index: true
            case .common, .recursion: false
            }
        }

        var isIndex: Bool {
            if case .index = self { true } else { false }
        }
    }

    /// A search table, which is joined by its rowid.
    package init(index name: String, failure: (any Error)?) {
        var sql: SQL = "\(name: name)"
        sql.uses(table: name)
        self.name = name
        self.sql = sql
        alias = nil
        keys = []
        self.failure = failure
        kind = .index
    }

    /// A table of the schema.
    init(_ name: String, alias: String? = nil, keys: [KeyColumn], failure: (any Error)?) {
        var sql: SQL = "\(name: name)"
        sql.uses(table: name)
        self.name = name
        self.sql = sql
        self.alias = alias
        self.keys = keys
        self.failure = failure
        kind = .table
    }

    /// A common table expression.
    init(_ name: String, _ kind: Kind) {
        self.name = name
        sql = "\(name: name)"
        alias = nil
        keys = []
        failure = nil
        self.kind = kind
    }

    /// Returns the table of the schema under another name.
    func named(_ alias: String) -> TableEntry { TableEntry(name, alias: alias, keys: keys, failure: failure) }
}

extension RecordTable {
    @_documentation(visibility: internal)
    public var entry: TableEntry { core.entry }

    @_documentation(visibility: internal)
    public func source(named alias: String?) -> Columns<Record> {
        Columns(core: core, place: ColumnPlace(table: alias))
    }
}

/// A table under another name: `"users" AS "manager"`.
public struct TableAlias<Record>: QueryTable {
    let core: TableCore<Record>
    let name: String

    @_documentation(visibility: internal)
    public var entry: TableEntry { core.entry.named(name) }

    @_documentation(visibility: internal)
    public func source(named alias: String?) -> Columns<Record> {
        Columns(core: core, place: ColumnPlace(table: alias))
    }
}

extension RecordTable {
    /// Returns the table under another name: `"points" AS "corner"`.
    public func `as`(_ name: String) -> TableAlias<Record> { TableAlias(core: core, name: name) }
}

extension TableRecord {
    /// Returns the table under another name: `"users" AS "manager"`.
    ///
    ///     let manager = User.as("manager")
    ///     User.join(manager) { $0.manager == $1.id }
    ///     // SELECT … FROM "users"
    ///     // JOIN "users" AS "manager" ON "users"."manager" = "manager"."id"
    ///
    /// A table that a query uses twice has another name the second time anyway: `"users_2"`.
    public static func `as`(_ name: String) -> TableAlias<Self> { table.as(name) }
}
