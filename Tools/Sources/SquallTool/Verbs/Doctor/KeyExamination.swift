import Squall

/// Examines the primary keys, the foreign keys and the indexes of the tables.
struct KeyExamination {
    let connection: Connection
    let tables: [TableListing]
    /// A copy of the schema without statistics, whose plans do not depend on the rows.
    let copy: SchemaCopy

    private var ordinary: [TableListing] { tables.filter { $0.kind == .table } }

    // MARK: - Foreign keys

    func foreignKeyDiagnoses() throws -> [Diagnosis] {
        let keys = try ordinary.flatMap { try connection.foreignKeys(of: $0.name) }
        let list = try keys.compactMap { key in
            try faultOfParent(key).map { fault in
                Diagnosis(
                    grade: .problem, subject: "foreign key", object: key.table,
                    message: "\(ForeignKey.list(key.columns)) → \(key.target): \(fault.message)", cure: fault.cure)
            } ?? missingIndex(of: key)
        }
        guard list.isEmpty, !keys.isEmpty else { return list }
        let count = keys.count == 1 ? "1 key" : "\(keys.count) keys"
        return [Diagnosis(grade: .ok, subject: "foreign key", message: "\(count), each with an index")]
    }

    /// Returns the reason why SQLite cannot check a key.
    private func faultOfParent(_ key: ForeignKey) throws -> (message: String, cure: String)? {
        guard let parent = tables.first(where: { $0.name.isSameName(as: key.parent) }) else {
            return (
                "there is no such table; inserts fail where foreign keys are checked",
                "create the table, or drop the key"
            )
        }
        guard parent.kind == .table else {
            return ("it is not a table but a \(parent.kind.rawValue)", "refer to a table")
        }
        let columns = try connection.columnListings(of: parent.name)
        let primaryKey = columns.filter { $0.keyPosition > 0 }.map { Identifier($0.name) }
        let wanted = key.parentColumns.isEmpty ? primaryKey : key.parentColumns.map { Identifier($0) }
        if let missing = key.parentColumns.first(where: { name in !columns.contains { $0.name.isSameName(as: name) } })
        {
            return ("there is no column \(missing.sqlName)", "name a column that is UNIQUE or the primary key")
        }
        guard wanted.count == key.columns.count else {
            return ("the primary key of the table has \(wanted.count) columns", "name as many columns as the key has")
        }
        let isUnique = try connection.indexListings(of: parent.name).contains { index in
            index.isUnique && !index.isPartial && index.terms.count == wanted.count
                && Set(index.terms.compactMap { $0.column.map { Identifier($0) } }) == Set(wanted)
        }
        if isUnique || Set(primaryKey) == Set(wanted) { return nil }
        let names = key.parentColumns.map(\.sqlName).joined(separator: ", ")
        return (
            "its columns are neither UNIQUE nor the primary key; changes of the table fail",
            "CREATE UNIQUE INDEX \(indexName(parent.name, key.parentColumns)) ON \(parent.name.sqlName)(\(names))"
        )
    }

    /// Returns a warning for a key without an index of its columns: every change of a parent row reads the whole table.
    private func missingIndex(of key: ForeignKey) throws -> Diagnosis? {
        let conditions = key.columns.map { "\(name: key.table).\(name: $0) = ?" as SQL }.joined(separator: " AND ")
        let sql: SQL = "SELECT 1 FROM \(name: key.table) WHERE \(conditions)"
        // A table that the copy does not have is reported elsewhere.
        guard let plan = try? copy.connection.explainQueryPlan(sql),
            plan.all.contains(where: { $0.detail.hasPrefix("SCAN") })
        else { return nil }
        let names = key.columns.map(\.sqlName).joined(separator: ", ")
        return Diagnosis(
            grade: .warning, subject: "foreign key", object: key.table,
            message: "\(ForeignKey.list(key.columns)) → \(key.target) has no index: to delete a row of "
                + "\(key.parent.sqlName), SQLite reads the whole table",
            cure: "CREATE INDEX \(indexName(key.table, key.columns)) ON \(key.table.sqlName)(\(names))")
    }

    private func indexName(_ table: String, _ columns: [String]) -> String {
        ([table] + columns).joined(separator: "_").sqlName
    }

    // MARK: - Primary keys and indexes

    func primaryKeyDiagnoses() throws -> [Diagnosis] {
        try ordinary.compactMap { table in
            guard try connection.columnListings(of: table.name).allSatisfy({ $0.keyPosition == 0 }) else { return nil }
            return Diagnosis(
                grade: .note, subject: "primary key", object: table.name,
                message: "has no primary key: only the rowid tells its rows apart, and VACUUM may change it",
                cure: "add a column INTEGER PRIMARY KEY")
        }
    }

    func indexDiagnoses() throws -> [Diagnosis] {
        try ordinary.flatMap { table in
            let indexes = try connection.indexListings(of: table.name)
            return indexes.compactMap { index -> Diagnosis? in
                guard let other = indexes.first(where: { index.isRedundant(besides: $0) }) else { return nil }
                let name = other.origin == .statement ? other.name.sqlName : "a constraint of the table"
                return Diagnosis(
                    grade: .note, subject: "index", object: index.name,
                    message:
                        "\(table.name.sqlName)(\(index.columnList())) is the beginning of \(name) (\(other.columnList()))",
                    cure: "DROP INDEX \(index.name.sqlName)")
            }
        }
    }
}

extension IndexListing {
    /// Returns whether another index does all that this one does.
    fileprivate func isRedundant(besides other: IndexListing) -> Bool {
        // The columns of a partial index and of an index of expressions do not tell all that it does.
        let all = terms + other.terms
        guard !name.isSameName(as: other.name), origin == .statement, !isPartial, !other.isPartial,
            all.allSatisfy({ $0.column != nil }), other.terms.starts(with: terms)
        else { return false }
        let isSame = terms.count == other.terms.count
        if isUnique { return isSame && other.isUnique && (other.origin != .statement || other.name < name) }
        return !isSame || other.isUnique || other.origin != .statement || other.name < name
    }
}
