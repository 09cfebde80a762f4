import Squall

/// A table or view with its columns, its indexes, its foreign keys in both directions, and its triggers.
struct TableDescription {
    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        let defaultValue: String?
        /// The position in the primary key, from 1; 0 for other columns.
        let keyPosition: Int
        let isHidden: Bool
        let isGenerated: Bool
        /// The rest of the column: its collation, the expression that generates it, its checks.
        var details: [String] = []
    }

    struct Index {
        let listing: IndexListing
        /// The index as its SQL declares it; `nil` for the index of a constraint.
        let definition: IndexDefinition?
    }

    let listing: TableListing
    let columns: [Column]
    /// SQLite's message if the view or the virtual table cannot be used.
    let fault: String?
    let indexes: [Index]
    let foreignKeys: [ForeignKey]
    let references: [ForeignKey]
    let triggers: [SchemaEntry]
    /// The checks that are declared with the table.
    let checks: [String]

    init(_ listing: TableListing, in connection: Connection, references: [ForeignKey]) throws {
        let definition = listing.kind == .view ? nil : try connection.tableInfo(listing.name)
        self.listing = listing
        do {
            columns = try connection.columns(of: listing.name, definition)
            fault = nil
        } catch let error as SQLiteError where error.resultCode == .error && listing.kind != .table {
            (columns, fault) = ([], error.message)
        }
        indexes = try connection.indexListings(of: listing.name).map { index in
            Index(
                listing: index, definition: definition?.indexes.first { $0.name.isSameName(as: index.name) }
            )
        }
        foreignKeys = try connection.foreignKeys(of: listing.name)
        self.references = references.filter { $0.parent.isSameName(as: listing.name) }
        triggers = try connection.schemaEntries().filter {
            $0.kind == .trigger && $0.table.isSameName(as: listing.name)
        }
        checks = (definition?.constraints ?? []).compactMap { constraint in
            guard case .check(let condition) = constraint.kind else { return nil }
            return (constraint.name.map { "\($0.sqlName): " } ?? "") + condition.text
        }
    }
}

extension Connection {
    /// Returns the descriptions of one table or of all.
    func tableDescriptions(of table: String?) throws -> [TableDescription] {
        let all = try tableListings()
        let chosen = try table.map { [try tableListing(named: $0)] } ?? all.filter { $0.kind != .shadow }
        let references = try all.filter { $0.kind == .table }.flatMap { try foreignKeys(of: $0.name) }
        return try chosen.map { try TableDescription($0, in: self, references: references) }
    }

    fileprivate func columns(
        of table: String, _ definition: TableDefinition?
    ) throws -> [TableDescription.Column] {
        try columnListings(of: table).map { listing in
            var column = TableDescription.Column(
                name: listing.name, type: listing.type, isNotNull: listing.isNotNull,
                defaultValue: listing.defaultValue, keyPosition: listing.keyPosition, isHidden: listing.isHidden,
                isGenerated: listing.isGenerated)
            guard let own = definition?.columns.first(where: { $0.name.isSameName(as: column.name) }) else {
                return column
            }
            if let collation = own.collation { column.details.append("COLLATE \(collation.sqlName)") }
            if own.primaryKey?.isAutoincrement == true { column.details.append("AUTOINCREMENT") }
            if let generated = own.generated {
                column.details.append("AS (\(generated.expression.text)) \(generated.isStored ? "STORED" : "VIRTUAL")")
            }
            for check in own.checks { column.details.append("CHECK (\(check.condition.text))") }
            return column
        }
    }
}

extension TableDescription {
    /// The keys that the column belongs to: `primary key`, `unique`, `foreign key`.
    func keys(of column: Column) -> String {
        var keys: [String] = []
        if column.keyPosition > 0 {
            let isAlone = columns.filter { $0.keyPosition > 0 }.count == 1
            keys.append(isAlone ? "primary key" : "primary key \(column.keyPosition)")
        }
        let isUnique = indexes.map(\.listing).contains { index in
            index.isUnique && !index.isPartial && index.origin != .primaryKey && index.terms.count == 1
                && index.terms[0].column?.isSameName(as: column.name) == true
        }
        if isUnique { keys.append("unique") }
        if foreignKeys.contains(where: { $0.columns.contains { $0.isSameName(as: column.name) } }) {
            keys.append("foreign key")
        }
        return keys.joined(separator: ", ")
    }
}
