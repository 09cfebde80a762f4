import SquallSQLite

/// A ``RelationPath`` without its types.
protocol AnyRelationPath: AnyObject, Sendable {
    /// Returns the index of the source's column that is compared.
    func sourceColumn() throws -> Int
}

/// The properties by which the records of two tables are related, and the table between them, if there is one.
@usableFromInline
final class RelationPath<Source: TableRecord, Target: TableRecord>: AnyRelationPath {
    private let source: RelatedProperty<Source>
    private let target: RelatedProperty<Target>
    private let link: RelationLink?
    /// The conditions on the target records.
    private let conditions: [@Sendable (Columns<Target>) -> Condition]
    private let orderings: [@Sendable (Columns<Target>) -> [Ordering]]
    /// The columns of the properties, once they were checked. Not found by the initialiser: the tables may be declared later.
    private let knownColumns = Locked<RelatedColumns<Source, Target>?>(nil)

    @usableFromInline
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
    /// `… JOIN "users" ON "posts"."author" = "users"."id"`, after the table of the source.
    ///
    /// With a table between them:
    /// `… JOIN "taggings" ON "posts"."id" = "taggings"."post" JOIN "tags" ON "taggings"."tag" = "tags"."id"`.
    func join(_ query: Query<Columns<Source>>) -> JoinedQuery<Columns<Source>, Columns<Target>> {
        let source = query.tables
        var clauses = query.clauses
        let isRelated: (Columns<Target>) -> SQL
        do {
            let columns = try self.columns()
            var key = source.reference(to: columns.source)
            if let link = columns.link {
                let name = clauses.join(" JOIN ", link.table) { "\(key) = \(link.key.reference(in: $0))" }
                key = link.other.reference(in: name)
            }
            isRelated = { "\(key) = \($0.reference(to: columns.target))" }
        } catch {
            var sql: SQL = "NULL"
            sql.fail(error)
            isRelated = { _ in sql }
        }
        let target = clauses.join(" JOIN ", Target.table) { target in
            conditions.reduce(Condition(isRelated(target), .comparison)) { $0 && $1(target) }
        }
        return JoinedQuery(tables: (source, target), clauses: clauses)
    }

    /// The terms of the order of the target records.
    func terms(_ target: Columns<Target>) -> [Ordering] { orderings.flatMap { $0(target) } }

    /// Returns the target records of each source record, in the order of the source records:
    ///
    ///     SELECT "posts"."id", …, "posts"."author" FROM "posts"
    ///     WHERE "posts"."author" IN (?, ?, …)
    func load(_ connection: Connection, _ sources: [Source], _ sourceKeys: StoredKeys?) throws -> [[Target]] {
        var none = StoredKeys()
        return try groups(connection, sources, sourceKeys, adding: &none).ofSources
    }

    /// Returns the target records of the source records, and adds the keys of the target records.
    func groups(
        _ connection: Connection, _ sources: [Source], _ sourceKeys: StoredKeys?, adding targetKeys: inout StoredKeys
    ) throws -> RelatedGroups<Target> {
        let columns = try self.columns()
        let keys =
            try sourceKeys?.values(of: columns.sourceIndex)
            ?? sources.map { try source.storedValue(in: $0, column: columns.source) }
        let sourceKey = RelationKey(columns.source)
        var numbers: [BindingValue: Int] = [:]
        var wanted: [BindingValue] = []
        let numberOfSource = keys.map { value -> Int? in
            if value == .null { return nil }
            let key = sourceKey.comparable(value)
            if let number = numbers[key] { return number }
            numbers[key] = wanted.count
            wanted.append(value)
            return wanted.count - 1
        }
        guard !wanted.isEmpty else { return RelatedGroups(groups: [], numbers: numberOfSource) }

        let core = Target.table.core
        // Read here and not for each row, and elements found by a pointer: generic code looks up the types of its arrays each time.
        let (append, layout, keyColumn) = (core.append, core.layout, core.columns.count)
        var targets = [[Target]](repeating: [], count: wanted.count)
        var keysOfTargets = targetKeys.isEmpty ? [] : [StoredKeys](repeating: targetKeys, count: wanted.count)
        for batch in batches(of: wanted, of: connection, columns) {
            try connection.withStatement(sql(columns, core, batch)) { statement in
                try targets.withUnsafeMutableBufferPointer { targets in
                    guard let targets = targets.baseAddress else { return }
                    var last: (key: BindingValue, number: Int)?
                    try statement.forEachRow { row in
                        // Cannot be missing: the key is the column after those of the record.
                        let key = row.existingValue(at: keyColumn).bindingValue
                        // Rows with the same key often follow one another.
                        guard let number = last?.key == key ? last?.number : numbers[sourceKey.comparable(key)] else {
                            throw SQLiteError(
                                TableProblem.unequalKeys(column: columns.target.name), of: .table(core.name))
                        }
                        last = (key, number)
                        var reader = ColumnReader(row, layout: layout)
                        // A `ColumnReader` retains neither.
                        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(layout) {} } }
                        try append(&targets[number], &reader)
                        if !keysOfTargets.isEmpty { keysOfTargets[number].append(row) }
                    }
                }
            }
        }
        for keys in keysOfTargets { targetKeys.append(keys) }
        return RelatedGroups(groups: targets, numbers: numberOfSource)
    }

    private func sql(
        _ columns: RelatedColumns<Source, Target>, _ core: TableCore<Target>, _ keys: [BindingValue]
    ) -> SQL {
        var sql = columns.selection
        if let link = columns.link {
            let link = link.placed(beside: [core.name])
            let list = (core.columns.map(\.reference) + [link.key]).joined(separator: ", ")
            sql = """
                SELECT \(list) FROM \(link.table) JOIN \(name: core.name) ON \(columns.target.reference) = \(link.other) \
                WHERE \(link.key)
                """
        }
        sql += keys.count == 1 ? " = \(keys[0])" : " IN \(in: keys)"
        for condition in conditions { sql += " AND " + core.inScope(condition).operand }
        let terms = core.inScope(terms)
        if !terms.isEmpty { sql += " ORDER BY " + terms.map(\.sql).joined(separator: ", ") }
        return sql
    }

    /// Returns the keys of each query: all of them, unless a JSON array cannot hold one. The number of parameters of a statement then
    /// limits the keys.
    private func batches(
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

    func sourceColumn() throws -> Int { try columns().sourceIndex }

    /// Returns the columns of the properties.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, a property without a column, and columns with different forms or
    ///   collations.
    private func columns() throws -> RelatedColumns<Source, Target> {
        if let known = knownColumns.withLock({ $0 }) { return known }
        let columns = RelatedColumns(
            source: try source.column(), try source.columnIndex(), target: try target.column(),
            link: try link?.columns()
        )
        var sql: SQL = "\(columns.source.reference) = \(columns.target.reference)"
        let (source, target) = (RelationKey(columns.source), RelationKey(columns.target))
        source.check(fits: columns.link?.key ?? target, in: &sql)
        target.check(fits: columns.link?.other ?? source, in: &sql)
        if let failure = sql.failure { throw failure }
        knownColumns.withLock { $0 = columns }
        return columns
    }
}

/// The target records of source records, of which those with the same key share a group.
struct RelatedGroups<Target> {
    let groups: [[Target]]
    /// The number of the group of each source record; `nil` for one without a key.
    let numbers: [Int?]

    /// The target records of each source record.
    var ofSources: [[Target]] { numbers.map { $0.map { groups[$0] } ?? [] } }
}

/// The columns of the properties of a ``RelationPath``.
private struct RelatedColumns<Source, Target: TableRecord> {
    let source: TableColumn<Source>
    let sourceIndex: Int
    let target: TableColumn<Target>
    let link: RelationLink.Columns?
    /// `SELECT "posts"."id", …, "posts"."author" FROM "posts" WHERE "posts"."author"`, for the keys to follow.
    let selection: SQL

    init(
        source: TableColumn<Source>, _ sourceIndex: Int, target: TableColumn<Target>, link: RelationLink.Columns?
    ) {
        self.source = source
        self.sourceIndex = sourceIndex
        self.target = target
        self.link = link
        let core = Target.table.core
        let list = (core.columns.map(\.reference) + [target.reference]).joined(separator: ", ")
        selection = "SELECT \(list) FROM \(name: core.name) WHERE \(target.reference)"
    }
}
