import Squall
import SquallBase

/// A condition of a ``SyncTable`` over the columns of its table and the tables of the hub.
struct ScopeCondition: Sendable {
    /// The condition as it was written.
    let text: String
    /// The tables that its subqueries read.
    let tables: [Identifier]
    /// Whether the rows that changes of those tables concern are found with the changed rows alone.
    let isMonotone: Bool
    private let tokens: [Token]

    /// Checks a condition.
    ///
    /// - Throws: `SQLiteError`, with a ``SyncScopeProblem``; that of SQLite for a condition that it does not understand.
    init(_ text: String, of table: TableShape, on connection: Connection) throws {
        self.text = text
        tokens = Array(SQLTokenizer(text))
        func problem(_ problem: SyncScopeProblem) -> SQLiteError { SQLiteError(problem, of: .table(table.name)) }
        var depth = 0
        for token in tokens {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if depth < 0 || token.is(";") || !token.isTerminated || token.kind == .comment {
                throw problem(.notACondition)
            }
            if token.kind == .parameter, token.source.utf8.first != UInt8(ascii: ":") {
                throw problem(.parameter(token.source))
            }
            if Self.isOfTime(token) { throw problem(.changesByItself(token.source)) }
        }
        if depth != 0 { throw problem(.notACondition) }

        let probe = Self.probe(tokens, over: table)
        let direct = try connection.reads(of: "SELECT 1 FROM \(probe)")
        if let function = try connection.firstVolatile(of: direct.functions) {
            throw problem(.changesByItself(function))
        }
        tables = try connection.tables(of: direct) { problem(.otherTable($0)) }
        isMonotone = Self.isMonotone(tokens, reading: tables)
        // A table of an earlier time stands under the name of the table. A view, or a name with a schema, would not read it.
        let empty = try tables.map { try TableShape($0.spelling, on: connection).emptyTable }
        let with: SQL = empty.isEmpty ? "" : "WITH \(empty.joined(separator: ", "))"
        let hidden = try connection.reads(of: "\(with) SELECT 1 FROM \(probe)")
        if let table = hidden.tables.first(where: { $0.schema != nil }) { throw problem(.otherTable(table.name)) }
    }

    /// One row of NULLs that the condition chooses from, which reads no table.
    private static func probe(_ tokens: [Token], over table: TableShape) -> SQL {
        let columns = table.columns.map { "NULL AS \(name: $0.name)" as SQL }.joined(separator: ", ")
        let text = tokens.map { $0.kind == .parameter ? " NULL " : $0.source }.joined()
        return "(SELECT \(columns)) AS \(name: table.name) WHERE (\(raw: text))"
    }

    private static func isOfTime(_ token: Token) -> Bool {
        token.kind == .word && ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(Identifier(token.source))
    }

    /// Returns the condition for a principal.
    ///
    /// - Throws: `SQLiteError`, with a ``SyncScopeProblem``, for a value that the principal does not have.
    func sql(for principal: SyncPrincipal) throws -> SQL {
        var sql: SQL = "("
        for token in tokens {
            guard token.kind == .parameter else {
                sql += SQL(raw: token.source)
                continue
            }
            let name = String(token.source.dropFirst())
            guard let value = name == "user" ? .text(principal.user) : principal.values[name] else {
                throw SQLiteError(SyncScopeProblem.missingValue(name))
            }
            sql += "\(value)"
        }
        return sql + ")"
    }
}

/// The tables and functions that a statement reads.
private struct Reads {
    /// The schema is `nil` for a name without one of which no column is read. It can also be that of a common table or of a table function.
    var tables: [(schema: String?, name: String)] = []
    var functions: [String] = []
    /// The views and common tables in which tables are read.
    var views: Set<String> = []
}

extension Connection {
    fileprivate func reads(of sql: SQL) throws -> Reads {
        let reads = Locked(Reads())
        let token = addAuthorizer { action, first, second, schema, view in
            if let view { reads.withLock { _ = $0.views.insert(view) } }
            if action == .read, let first, !first.isEmpty {
                reads.withLock { $0.tables.append((schema, first)) }
            }
            if action == .function, let second { reads.withLock { $0.functions.append(second) } }
            return .ok
        }
        defer { token.cancel() }
        _ = try Statement(connection: self, sql: sql)
        return reads.withLock { $0 }
    }

    /// Returns the tables that a statement reads.
    ///
    /// - Throws: The error for what is not a table of the main database.
    fileprivate func tables(of reads: Reads, otherwise error: (String) -> SQLiteError) throws -> [Identifier] {
        func types(_ name: String) throws -> [String] {
            try query(
                """
                SELECT type FROM main.sqlite_schema WHERE name = \(name) COLLATE NOCASE AND type IN ('table', 'view')
                UNION ALL SELECT 'temp ' || type FROM temp.sqlite_schema WHERE name = \(name) COLLATE NOCASE
                """)
        }
        if let view = try reads.views.first(where: { try types($0) == ["view"] }) { throw error(view) }
        var tables: Set<Identifier> = []
        for (schema, name) in reads.tables {
            let types = try types(name)
            let isOfSQLite = ["sqlite_", "pragma_", "squall_sync_"].contains { name.lowercased().hasPrefix($0) }
            if schema == nil, types.isEmpty, !isOfSQLite { continue }
            guard schema == nil || schema == "main", types == ["table"], !isOfSQLite else { throw error(name) }
            tables.insert(Identifier(name))
        }
        return tables.sorted()
    }

    /// Whether a table or a view has a name.
    func hasSource(named name: String) throws -> Bool {
        try query(
            "SELECT EXISTS(SELECT 1 FROM pragma_table_list WHERE name = \(name) COLLATE NOCASE AND type <> 'virtual')")
    }

    /// Returns the first of functions whose result is not decided by their arguments.
    fileprivate func firstVolatile(of functions: [String]) throws -> String? {
        let ofTime: Set<Identifier> = ["date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"]
        return try functions.first { name in
            // Scalar functions without SQLITE_DETERMINISTIC.
            let isVolatile: Bool = try query(
                """
                SELECT EXISTS(SELECT 1 FROM pragma_function_list
                WHERE name = \(name) COLLATE NOCASE AND type = 's' AND flags & 0x800 = 0)
                """)
            return isVolatile || ofTime.contains(Identifier(name))
        }
    }
}

/// The reason why the condition of a table cannot be used. The table is the error's `SQLiteError.subject`.
public enum SyncScopeProblem: SQLiteProblem {
    /// Thrown for text that is not one condition.
    case notACondition
    /// Thrown for a parameter without a name that begins with a colon.
    case parameter(String)
    /// Thrown for a function of time or chance: rows would enter and leave without a change of the database.
    case changesByItself(String)
    /// Thrown for a view, a table with the name of its schema before it, and a table outside the main database.
    case otherTable(String)
    /// Thrown when a principal lacks a value that a condition names.
    case missingValue(String)

    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .notACondition: "the text is not one condition"
        case .parameter(let name): "a condition has the parameter \(name)"
        case .changesByItself(let name): "a condition uses \(name), whose result changes by itself"
        case .otherTable(let name): "a condition reads \(name), whose earlier rows are not known"
        case .missingValue(let name): "the principal has no value \(name)"
        }
    }

    public func message(of subject: SQLiteError.Subject) -> String {
        "\(message)\(subject.table.map { ": \($0)" } ?? "")"
    }

    public var hint: String? {
        switch self {
        case .notACondition, .changesByItself: nil
        case .parameter: "name it with a colon, such as :user"
        case .otherTable: "name tables of the main database without their schema"
        case .missingValue(let name): "SyncPrincipal(user: …, values: [\"\(name)\": …])"
        }
    }
}
