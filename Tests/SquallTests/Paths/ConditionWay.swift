import Squall

/// A way to find the rows whose value is beside another value.
enum ConditionWay: String, CaseIterable {
    case equal, equalOnTheLeft, same, sameOnBothSides, unequal, less, lessOrEqual, greater, greaterOrEqual,
        lessOnTheLeft, between
    case inList, inEmptyList, inSubquery, nullIf, isNull, isNotNull, joined
    case count, exists, first, delete, update, page
    // These write the SQL, which has no form.
    case interpolated, parameter, optionalParameter, named, listed, prepared, listInSQL, arrayInSQL, arrayOfOptionals

    /// The condition in SQL; `?` is the value, and `?2` another one of its type.
    var sql: String {
        switch self {
        case .equal, .equalOnTheLeft, .count, .exists, .first, .delete, .update, .page, .interpolated, .parameter,
            .optionalParameter, .named, .listed, .prepared, .inSubquery:
            "value = ?"
        case .inList, .listInSQL, .arrayInSQL, .arrayOfOptionals: "value IN (?2, ?1)"
        case .same: "value IS ?"
        case .inEmptyList: "value IN ()"
        case .unequal: "value <> ?"
        case .less: "value < ?"
        case .lessOrEqual: "value <= ?"
        case .greater: "value > ?"
        case .greaterOrEqual, .lessOnTheLeft: "value >= ?"
        case .between: "value BETWEEN ?1 AND ?1"
        case .nullIf: "nullif(value, ?) IS NULL"
        case .isNull: "value IS NULL"
        case .isNotNull: "value IS NOT NULL"
        case .sameOnBothSides:
            "EXISTS (SELECT 1 FROM holders AS other WHERE other.value IS holders.value AND other.value = ?)"
        case .joined: "EXISTS (SELECT 1 FROM holders AS other WHERE other.value = holders.value AND other.value = ?)"
        }
    }

    var comparesOrder: Bool { "<>B".contains(sql.dropFirst(6).first ?? " ") && self != .unequal }

    /// Whether it is written in SQL with the value as its type is bound.
    var isSQL: Bool {
        switch self {
        case .interpolated, .parameter, .optionalParameter, .named, .listed, .prepared, .listInSQL, .arrayInSQL,
            .arrayOfOptionals:
            true
        default: false
        }
    }

    /// Whether SQLite rounds a value before it compares it: an integer beyond 2^53, in the subquery that an array is, beside a REAL column.
    func rounds(_ value: BindingValue?, in kind: ColumnKind) -> Bool {
        guard case .integer(let number) = value, kind == .real || kind == .strictReal else { return false }
        return (self == .arrayInSQL || self == .arrayOfOptionals) && Double(exactly: number) == nil
    }

    /// Returns the ids of the rows that are found.
    func ids<C: FormColumn>(_ value: C.Base, _ other: C.Base, in holders: FormHolder<C>.Type, on connection: Connection)
        throws
        -> [Int64]
    {
        typealias Record = FormHolder<C>
        func ids(where condition: (Columns<Record>) -> Condition) throws -> [Int64] {
            try connection.all(Record.where(condition).order { $0.id }.select { $0.id })
        }
        func found(_ condition: SQL) throws -> [Int64] {
            try connection.query("SELECT id FROM holders WHERE \(condition) ORDER BY id")
        }
        let list: SQL = "SELECT id FROM holders WHERE value = ? ORDER BY id"
        switch self {
        case .equal: return try ids { $0.value == value }
        case .equalOnTheLeft: return try ids { value == $0.value }
        case .same: return try ids { $0.value.isSame(as: value) }
        case .sameOnBothSides:
            return try connection.all(
                Record.join(Record.self) { $0.value.isSame(as: $1.value) }.where { $1.value == value }
                    .order { a, _ in a.id }.distinct().select { a, _ in a.id })
        case .unequal: return try ids { $0.value != value }
        case .less: return try ids { $0.value < value }
        case .lessOrEqual: return try ids { $0.value <= value }
        case .greater: return try ids { $0.value > value }
        case .greaterOrEqual: return try ids { $0.value >= value }
        case .lessOnTheLeft: return try ids { value <= $0.value }
        case .between: return try ids { $0.value.between(value, and: value) }
        case .inList: return try ids { $0.value.in([other, value]) }
        case .inEmptyList: return try ids { $0.value.in([]) }
        case .inSubquery:
            return try ids { $0.value.in(Record.where { $0.value == value }.select { $0.value }) }
        case .nullIf: return try ids { $0.value.nullIf(value).isNull }
        case .isNull: return try ids { $0.value.isNull }
        case .isNotNull: return try ids { $0.value.isNotNull }
        case .joined:
            return try connection.all(
                Record.join(Record.self) { $0.value == $1.value }.where { $1.value == value }.order { a, _ in a.id }
                    .distinct().select { a, _ in a.id })
        case .count:
            let all = try ids { $0.value == value }
            let count = try connection.count(Record.self) { $0.value == value }
            return Array(all.prefix(count))
        case .exists:
            return try connection.exists(Record.self) { $0.value == value } ? ids { $0.value == value } : []
        case .first:
            let all = try ids { $0.value == value }
            let first = try connection.first(Record.where { $0.value == value }.order { $0.id }.select { $0.id })
            return all.first == first ? all : []
        case .delete:
            return try changed(on: connection) { try connection.delete(Record.self) { $0.value == value } }
        case .update:
            return try changed(on: connection) {
                try connection.update(Record.self) {
                    $0.note.set(to: "changed")
                } where: {
                    $0.value == value
                }
            }
        case .page:
            return try connection.page(
                Record.where { $0.value == value }.order { $0.id }.select { $0.id }, size: 100
            ).items
        case .interpolated: return try found("value = \(value)")
        case .parameter: return try connection.query(list, value)
        case .optionalParameter: return try connection.query(list, Optional(value))
        case .named:
            return try connection.query(
                "SELECT id FROM holders WHERE value = :value ORDER BY id", ["value": value] as [String: (any Bindable)?]
            )
        case .listed: return try connection.query(list, [value] as [(any Bindable)?])
        case .prepared: return try connection.prepare(list).bind(value).query()
        case .listInSQL: return try found("value IN \(in: [other, value])")
        case .arrayInSQL: return try found("value IN \(array: [other, value])")
        case .arrayOfOptionals: return try found("value IN \(array: [other, Optional(value)])")
        }
    }

    /// Returns the ids of the rows that a closure changes, which are as they were afterwards.
    private func changed(on connection: Connection, _ body: () throws -> Void) throws -> [Int64] {
        try connection.execute("SAVEPOINT change")
        defer { try? connection.execute("ROLLBACK TO change; RELEASE change") }
        let before: [Int64] = try connection.query("SELECT id FROM holders")
        try body()
        let same: Set<Int64> = Set(
            try connection.query("SELECT id FROM holders WHERE note <> 'changed'") as [Int64])
        return before.filter { !same.contains($0) }.sorted()
    }
}
