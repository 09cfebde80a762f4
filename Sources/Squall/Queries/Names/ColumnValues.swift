/// Columns by their names and what they are set to, in order: `["name": "Amelia", "email": nil, "hits": "hits + 1" as SQL]`.
public typealias ColumnValues = KeyValuePairs<String, (any Settable)?>

extension SQL {
    /// A value as a parameter, or other SQL as it is.
    init(_ value: (any Settable)?) {
        switch value {
        case nil: self = "NULL"
        case let sql as SQL: self = sql
        case let zeros as ZeroBlob: self = "\(zeros)"
        case let value as any Bindable: self = "\(value)"
        case .some(let value):
            self = "?"
            fail(SQLiteError.misuse(.unbindable(type: "\(type(of: value))")))
        }
    }

    /// Returns `INSERT OR REPLACE INTO "contacts"("name", "email") VALUES(?, ?)`; `DEFAULT VALUES` for no columns.
    package static func insert(
        into table: String, _ values: [(key: String, value: (any Settable)?)], or conflict: ConflictResolution? = nil
    ) -> SQL {
        let verb: SQL = conflict.map { "INSERT OR \(raw: $0.rawValue)" } ?? "INSERT"
        guard !values.isEmpty else { return verb + " INTO \(name: table) DEFAULT VALUES" }
        let list = values.map { SQL($0.value) }.joined(separator: ", ")
        return verb + " INTO \(name: table)(\(names: values.map(\.key))) VALUES(\(list))"
    }

    /// Returns `INSERT … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`
    static func upsert(
        into table: String, _ values: [(key: String, value: (any Settable)?)], onConflict columns: [String]
    ) -> SQL {
        let target: SQL = columns.isEmpty ? "" : "(\(names: columns))"
        let others = values.map(\.key).filter { key in !columns.contains { $0.isSameName(as: key) } }
        let action: SQL = others.isEmpty ? "NOTHING" : .updateOfConflict(table, SQL.excluded(others))
        return insert(into: table, values) + " ON CONFLICT\(target) DO \(action)"
    }

    /// Returns `UPDATE SET "name" = excluded."name"`. In a table with the name `excluded`, that would be the row that is there.
    static func updateOfConflict(_ table: String, _ assignments: SQL) -> SQL {
        var sql = "UPDATE SET " + assignments
        if table.isSameName(as: "excluded") { sql.fail(SQLiteError(QueryProblem.repeatedTableName(table))) }
        return sql
    }

    /// `"name" = excluded."name"`
    static func excluded(_ columns: [String]) -> SQL {
        columns.map { "\(name: $0) = excluded.\(name: $0)" }.joined(separator: ", ")
    }

    /// Returns `UPDATE "contacts" SET "name" = ?, "hits" = hits + 1 WHERE …`
    static func update(
        _ table: String, set values: [(key: String, value: (any Settable)?)], where condition: SQL?
    ) -> SQL {
        var assignments = values.map { "\(name: $0.key) = \(SQL($0.value))" as SQL }.joined(separator: ", ")
        if values.isEmpty { assignments.fail(SQLiteError(QueryProblem.noAssignments)) }
        return "UPDATE \(name: table) SET \(assignments)\(clause(" WHERE ", condition))"
    }

    /// A clause, where there is something to put into it.
    static func clause(_ words: SQL, _ sql: SQL?) -> SQL {
        sql.map { words + $0 } ?? ""
    }

    /// ` LIMIT ? OFFSET ?`; an offset alone goes with `LIMIT -1`, which is none. Negative numbers make the SQL throw.
    static func limit(_ limit: Int?, offset: Int?) -> SQL {
        var sql: SQL = ""
        sql.appendLimit(limit, offset: offset)
        return sql
    }

    /// Appends ` LIMIT ? OFFSET ?`.
    mutating func appendLimit(_ limit: Int?, offset: Int?) {
        guard limit != nil || offset != nil else { return }
        append(" LIMIT ")
        append(.integer(Int64(limit ?? -1)))
        if let offset {
            append(" OFFSET ")
            append(.integer(Int64(offset)))
        }
        if let limit, limit < 0 { fail(SQLiteError(QueryProblem.negativeLimit(limit))) }
        if let offset, offset < 0 { fail(SQLiteError(QueryProblem.negativeLimit(offset))) }
    }
}
