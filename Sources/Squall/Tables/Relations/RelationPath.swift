import SquallSQLite

/// The properties by which the records of two tables are related, and the table between them, if there is one.
final class RelationPath<Source: TableRecord, Target: TableRecord>: Sendable {
    private let source: RelatedProperty<Source>
    private let target: RelatedProperty<Target>
    private let link: RelationLink?
    /// The conditions on the target records.
    private let conditions: [@Sendable (Columns<Target>) -> Condition]
    private let orderings: [@Sendable (Columns<Target>) -> [Ordering]]

    init(
        _ source: RelatedProperty<Source>, _ target: RelatedProperty<Target>, _ link: RelationLink? = nil,
        conditions: [@Sendable (Columns<Target>) -> Condition] = [],
        orderings: [@Sendable (Columns<Target>) -> [Ordering]] = []
    ) {
        self.source = source
        self.target = target
        self.link = link
        self.conditions = conditions
        self.orderings = orderings
    }

    func limited(to condition: @escaping @Sendable (Columns<Target>) -> Condition) -> RelationPath {
        RelationPath(source, target, link, conditions: conditions + [condition], orderings: orderings)
    }

    func ordered(by terms: @escaping @Sendable (Columns<Target>) -> [Ordering]) -> RelationPath {
        RelationPath(source, target, link, conditions: conditions, orderings: orderings + [terms])
    }

    var inverse: RelationPath<Target, Source> { RelationPath<Target, Source>(target, source, link?.inverse) }

    /// The foreign key of the source's table.
    func foreignKey(onDelete: ForeignKeyReference.Action?, onUpdate: ForeignKeyReference.Action?) -> TableConstraint {
        let reference = ForeignKeyReference(
            table: Target.table.core.name, columns: [target.columnName], onDelete: onDelete, onUpdate: onUpdate
        )
        return TableConstraint(.foreignKey([source.columnName], reference))
    }
}

// MARK: - SQL

extension RelationPath {
    /// `"posts"."author" = "users"."id"`, of two tables of a query.
    ///
    /// With a table between them: `"tags"."id" IN (SELECT "taggings"."tag" FROM "taggings" WHERE "taggings"."post" = "posts"."id")`.
    func condition(_ source: Columns<Source>, _ target: Columns<Target>) -> Condition {
        do {
            let columns = try self.columns()
            let key = source.reference(to: columns.source)
            let other = target.reference(to: columns.target)
            let link = columns.link.map { link -> SQL in
                let link = link.placed(beside: [source.tableName, target.tableName])
                return "IN (SELECT \(link.other) FROM \(link.table) WHERE \(link.key) = \(key))"
            }
            let related = Condition(link.map { "\(other) \($0)" } ?? "\(key) = \(other)", .comparison)
            return conditions.reduce(related) { $0 && $1(target) }
        } catch {
            var sql: SQL = "NULL"
            sql.fail(error)
            return Condition(sql)
        }
    }

    /// The terms of the order of the target records.
    func terms(_ target: Columns<Target>) -> [Ordering] { orderings.flatMap { $0(target) } }

    /// Returns the target records of each source record, in the order of the source records:
    ///
    ///     SELECT "posts"."id", …, "posts"."author" FROM "posts" WHERE "posts"."author" IN (?, ?, …)
    func load(_ connection: Connection, _ sources: [Source]) throws -> [[Target]] {
        let columns = try self.columns()
        let keys = try sources.map { try source.storedValue(in: $0, column: columns.source) }
        var numbers: [BindingValue: Int] = [:]
        for key in keys where key != .null && numbers[key] == nil { numbers[key] = numbers.count }
        guard !numbers.isEmpty else { return sources.map { _ in [] } }

        let core = Target.table.core
        let append = core.append
        var targets = [[Target]](repeating: [], count: numbers.count)
        for group in groups(of: Array(numbers.keys), of: connection, columns) {
            try connection.withStatement(sql(columns, core, group)) { statement in
                // An element of a buffer is found without the type of the records, which a generic array looks up.
                try targets.withUnsafeMutableBufferPointer { targets in
                    var last: (key: BindingValue, number: Int)?
                    try statement.forEachRow { row in
                        // Cannot be missing: the key is the column after those of the record.
                        let key = row.existingValue(at: core.columns.count).bindingValue
                        // Rows with the same key often follow one another.
                        guard let number = last?.key == key ? last?.number : numbers[key] else {
                            throw SQLiteError.misuse(.table(core.name, .unequalKeys(column: columns.target.name)))
                        }
                        last = (key, number)
                        var reader = ColumnReader(row, layout: core.layout)
                        // A `ColumnReader` retains neither.
                        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(core) {} } }
                        try append(&targets[number], &reader)
                    }
                }
            }
        }
        return keys.map { key in numbers[key].map { targets[$0] } ?? [] }
    }

    private func sql(
        _ columns: RelatedColumns<Source, Target>, _ core: TableCore<Target>, _ keys: [BindingValue]
    ) -> SQL {
        var tables: SQL = "\(name: core.name)"
        var key = columns.target.reference
        if let link = columns.link {
            let link = link.placed(beside: [core.name])
            tables = "\(link.table) JOIN \(name: core.name) ON \(columns.target.reference) = \(link.other)"
            key = link.key
        }
        let list = (core.columns.map(\.reference) + [key]).joined(separator: ", ")
        var sql: SQL = "SELECT \(list) FROM \(tables) WHERE "
        sql += keys.count == 1 ? "\(key) = \(keys[0])" : "\(key) IN \(in: keys)"
        for condition in conditions { sql += " AND " + core.inScope(condition).operand }
        let terms = core.inScope(terms)
        if !terms.isEmpty { sql += " ORDER BY " + terms.map(\.sql).joined(separator: ", ") }
        return sql
    }

    /// Returns the keys of each query: all of them, unless a JSON array cannot hold one. The number of parameters of a statement then
    /// limits the keys.
    private func groups(
        of keys: [BindingValue], of connection: Connection, _ columns: RelatedColumns<Source, Target>
    ) -> [[BindingValue]] {
        var size = keys.count
        // The conditions and the order of the relation also have parameters.
        let others =
            conditions.isEmpty && orderings.isEmpty
            ? 0 : sql(columns, Target.table.core, [.null]).parameters.count - 1
        let limit = connection.handle.map { Int(sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) } ?? .max
        if size + others > limit, keys.json == nil { size = Swift.max(limit - others, 1) }
        return stride(from: 0, to: keys.count, by: size).map { Array(keys[$0..<Swift.min($0 + size, keys.count)]) }
    }

    /// Returns the columns of the properties.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, a property without a column, and columns that are stored in different
    ///   forms.
    private func columns() throws -> RelatedColumns<Source, Target> {
        let columns = RelatedColumns(
            source: try source.column(), target: try target.column(), link: try link?.columns()
        )
        var sql: SQL = "\(columns.source.reference) = \(columns.target.reference)"
        if let link = columns.link {
            sql.check(columns.source.storedForm, fits: link.keyForm)
            sql.check(columns.target.storedForm, fits: link.otherForm)
        } else {
            sql.check(columns.source.storedForm, fits: columns.target.storedForm)
        }
        if let failure = sql.failure { throw failure }
        return columns
    }
}

/// The columns of the properties of a ``RelationPath``.
private struct RelatedColumns<Source, Target> {
    let source: TableColumn<Source>
    let target: TableColumn<Target>
    let link: RelationLink.Columns?
}
