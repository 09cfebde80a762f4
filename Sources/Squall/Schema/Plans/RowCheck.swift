/// Counts the rows that another definition of their table refuses, and the values that it does not keep. Only reads.
///
/// The rows are checked as they would be in the new table, with the defaults of added columns: `SELECT count(*) FROM (SELECT
/// "a" AS "a", (0) AS "b" FROM main."t") AS "t" WHERE NOT (a > b)`.
struct RowCheck {
    let connection: Connection
    let old: TableDefinition
    let new: TableDefinition
    private let rows: SQL

    init(_ connection: Connection, from old: TableDefinition, to new: TableDefinition) {
        self.connection = connection
        self.old = old
        self.new = new
        let columns = new.columns.map { column -> SQL in
            var value: SQL = "\(name: old.name).\(name: column.name)"
            if old.column(column.name) == nil {
                let isRowID = new.rowIDColumn?.isSameName(as: column.name) == true
                let rowID = isRowID ? old.rowIDName.map { SQL(raw: $0) } : nil
                let added = column.defaultValue?.defaultValue(ofColumn: column.name).defaultExpression
                value = rowID ?? added.map { "(\($0))" } ?? "NULL"
            }
            let collation: SQL = column.collation.map { " COLLATE \(name: $0)" } ?? ""
            return "\(value)\(collation) AS \(name: column.name)"
        }
        rows = "(SELECT \(columns.joined(separator: ", ")) FROM main.\(name: old.name)) AS \(name: new.name)"
    }

    /// Returns the count; 0 if it cannot be computed before the change, such as when a function is not registered, or when the schema
    /// may not call it.
    private func count(where condition: SQL) throws -> Int {
        try query("SELECT count(*) FROM \(rows) WHERE \(condition)")
    }

    private func query(_ sql: SQL) throws -> Int {
        do {
            guard try connection.mayRunAsSchema(sql, on: old.name) else { return 0 }
            return try connection.query(sql)
        } catch let error as SQLiteError where error.resultCode == .error {
            return 0
        }
    }

    /// Returns the reasons why the rows do not fit the new table, in terms of its definition.
    func obstacles(to changes: [TableChange]) throws -> [String] {
        guard changes.contains(where: \.isOfTable) else { return try uniqueIndexes(changes) }
        let known = CanonicalTable(old).constraints
        let changed = changes.compactMap { change in
            if case .changeColumn(_, let column, _) = change { Identifier(column.name) } else { nil }
        }
        var reasons: [String] = []
        for constraint in new.constraints.map(\.kind) + new.columns.flatMap(\.tableConstraints) {
            let isKnown = known.contains(CanonicalConstraint(constraint, of: new))
            switch constraint {
            case .unique(let list, _), .primaryKey(let list, _):
                let names = list.compactMap { $0.columnName.map { Identifier($0) } }
                guard !isKnown || !Set(names).isDisjoint(with: changed) else { continue }
                var word = "UNIQUE"
                if case .primaryKey = constraint { word = "the PRIMARY KEY" }
                guard let count = try duplicates(of: list, where: nil) else { continue }
                reasons.append(reason(count, list, "is to be \(word)"))
            case .check(let condition):
                guard !isKnown || !changed.isEmpty else { continue }
                let condition = condition.unqualified(by: new.name).expression(named: "the condition of a CHECK")
                let count = try count(where: "NOT (\(condition))")
                guard count > 0 else { continue }
                reasons.append(
                    """
                    CHECK (\(condition.text)) does not hold for \(count) \(count == 1 ? "row" : "rows") of "\(old.name)": change \
                    or delete them first
                    """
                )
            case .foreignKey: continue
            }
        }
        return try reasons + misfits() + uniqueIndexes(changes)
    }

    private func uniqueIndexes(_ changes: [TableChange]) throws -> [String] {
        try changes.compactMap { change in
            guard case .createIndex(let index) = change, index.isUnique else { return nil }
            return try duplicates(of: index.columns, where: index.condition?.unqualified(by: new.name)).map {
                reason($0, index.columns, "is to be UNIQUE by the index \"\(index.name)\"")
            }
        }
    }

    /// Returns the number of keys that several rows share; `nil` for none.
    private func duplicates(of list: [IndexedColumn], where condition: SQL?) throws -> Int? {
        let terms = list.map { IndexedColumn($0.term, collation: $0.collation).sql }
        let keys = terms.joined(separator: ", ")
        let filters = terms.map { "\($0) IS NOT NULL" as SQL } + [condition.map { "(\($0))" }].compactMap(\.self)
        let count = try query(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(rows) WHERE \(filters.joined(separator: " AND ")) \
            GROUP BY \(keys) HAVING count(*) > 1)
            """
        )
        return count > 0 ? count : nil
    }

    private func reason(_ count: Int, _ list: [IndexedColumn], _ end: String) -> String {
        let names = list.map(\.sql.text).joined(separator: ", ")
        let values = count == 1 ? "a value" : "\(count) values"
        return
            "several rows of \"\(old.name)\" have \(values) of \(names) in common, which \(end): change or delete them first"
    }
}

// MARK: - Types

extension RowCheck {
    /// Returns the losses in columns whose new type does not keep all values unchanged.
    func conversions(in changes: [TableChange]) throws -> [SchemaLoss] {
        try changes.compactMap { change in
            guard case .changeColumn(let before, let after, _) = change, after.generated == nil,
                let condition = Affinity(after.type, isStrict: new.isStrict).changes("\(name: after.name)"),
                Affinity(before.type, isStrict: old.isStrict) != Affinity(after.type, isStrict: new.isStrict)
            else { return nil }
            let count = try count(where: condition)
            guard count > 0 else { return nil }
            return .conversion(table: old.name, column: before.name, values: count, type: after.type)
        }
    }

    /// Returns the reasons why SQLite would refuse values: wrong types in a STRICT table, and values that cannot be rowids.
    private func misfits() throws -> [String] {
        try new.columns.compactMap { column in
            guard let before = old.column(column.name), column.generated == nil else { return nil }
            let isRowID = new.rowIDColumn?.isSameName(as: column.name) == true
            guard new.isStrict || isRowID,
                !(old.isStrict && Affinity(before.type) == Affinity(column.type)),
                !(isRowID && old.rowIDColumn?.isSameName(as: column.name) == true),
                let condition = Affinity(column.type, isStrict: new.isStrict).refuses("\(name: column.name)")
            else { return nil }
            let count = try count(where: condition)
            guard count > 0 else { return nil }
            let values = "\(count.counted("value")) of \"\(old.name)\".\"\(before.name)\" \(count == 1 ? "is" : "are")"
            let reason = isRowID ? "which the PRIMARY KEY must be" : "which a STRICT table refuses"
            return "\(values) not \(column.type), \(reason): change or delete them first"
        }
    }
}

extension Affinity {
    /// Returns a condition for values that neither have the type nor can be converted to it.
    fileprivate func refuses(_ column: SQL) -> SQL? {
        // Comparing with a number converts text only if all of it is a number, as storing it in a numeric column does.
        let isNotNumber: SQL = "typeof(\(column)) = 'text' AND \(column) <> CAST(\(column) AS NUMERIC)"
        let isBlob: SQL = "typeof(\(column)) = 'blob'"
        return switch self {
        case .none, .numeric: nil
        case .blob: "typeof(\(column)) NOT IN ('blob', 'null')"
        case .text: isBlob
        case .real: "\(isBlob) OR \(isNotNumber)"
        case .integer:
            """
            \(isBlob) OR \(isNotNumber) OR typeof(\(column)) IN ('real', 'text') \
            AND CAST(\(column) AS NUMERIC) <> CAST(\(column) AS INTEGER)
            """
        }
    }

    /// Returns a condition for values that the type refuses or changes, such as `'007'`, or a number with more digits than a
    /// REAL or its text can hold.
    fileprivate func changes(_ column: SQL) -> SQL? {
        let isOtherText: SQL = """
            typeof(\(column)) = 'text' AND \(column) = CAST(\(column) AS NUMERIC) \
            AND CAST(CAST(\(column) AS NUMERIC) AS TEXT) <> CAST(\(column) AS TEXT)
            """
        let isRounded: SQL? =
            switch self {
            case .none, .blob: nil
            case .integer, .numeric: isOtherText
            case .real:
                "\(isOtherText) OR typeof(\(column)) = 'integer' AND CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)"
            case .text: "typeof(\(column)) = 'real' AND CAST(CAST(\(column) AS TEXT) AS REAL) <> \(column)"
            }
        let conditions = [refuses(column), isRounded].compactMap(\.self)
        return conditions.isEmpty ? nil : conditions.map { "(\($0))" as SQL }.joined(separator: " OR ")
    }
}
