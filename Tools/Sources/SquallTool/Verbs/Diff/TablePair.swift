import Squall

/// A table that both files have, and how its rows are found in both.
struct TablePair {
    struct KeyPart {
        /// The index in `columns`.
        let index: Int
        let collation: KeyCollation
        /// Whether the column is compared by another collation outside the key.
        var isOfKeyAlone = false
    }

    let name: String
    /// The columns that both tables have, without generated ones; first the rowid, if the rows are compared by it.
    let columns: [String]
    let key: [KeyPart]
    /// Whether the rows are compared by their rowid, which the table's name for it comes first for.
    let isByRowID: Bool
    /// The columns that only one of the tables has.
    let unshared: [String]
    /// Whether two rows may not have the same values in columns that are not the key.
    let hasOtherUniqueColumns: Bool
    let isUTF16: Bool

    /// The names of the key, as they are printed.
    var keyNames: String { isByRowID ? "rowid" : key.map { columns[$0.index] }.joined(separator: ", ") }

    /// - Throws: ``Failure`` if the rows cannot be matched.
    init(_ old: TableDefinition, _ new: TableDefinition, _ connections: (Connection, Connection)) throws {
        name = old.name
        isUTF16 = try Self.encoding(of: connections) != "UTF-8"
        let shared = old.columns.filter { column in
            column.generated == nil && new.column(column.name).map { $0.generated == nil } ?? false
        }.map(\.name)
        unshared =
            (old.columns.filter { new.column($0.name) == nil } + new.columns.filter { old.column($0.name) == nil })
            .map(\.name)
        let keys = [old, new].map { $0.primaryKey.map { Identifier($0) } }
        var names: [String]?
        if keys[0] == keys[1], !keys[0].isEmpty { names = old.primaryKey }
        // The key of an ordinary table may be NULL in any number of rows.
        if let own = names, old.rowIDColumn == nil || new.rowIDColumn == nil,
            try Self.hasNull(old, own, connections.0) || Self.hasNull(new, own, connections.1)
        {
            names = nil
        }
        hasOtherUniqueColumns = Self.hasUniqueColumns(old, besidesKey: names != nil)
        if let names {
            isByRowID = false
            columns = shared
            key = try names.compactMap { name in
                shared.firstIndex { Identifier($0) == Identifier(name) }.map { ($0, name) }
            }.map { index, name in
                let collation = try Self.collation(of: name, in: old)
                let isOwn = old.column(name)?.collation?.asciiUppercased ?? "BINARY" == collation.rawValue
                return KeyPart(index: index, collation: collation, isOfKeyAlone: !isOwn)
            }
        } else if let rowID = old.rowIDName, new.rowIDName == rowID {
            isByRowID = true
            let isNamed = old.rowIDColumn.map { Identifier($0) }
            columns = [rowID] + shared.filter { Identifier($0) != isNamed }
            key = [KeyPart(index: 0, collation: .binary)]
        } else {
            throw Failure(
                keys[0] == keys[1]
                    ? "without a key, rows are matched by the rowid, and all its names are columns"
                    : "the tables have different primary keys", exitCode: .sqlError)
        }
    }

    /// The query for all rows, in the order of the key.
    var query: SQL {
        let terms = key.map { part -> SQL in
            isByRowID ? column(part.index) : "\(column(part.index)) COLLATE \(raw: part.collation.rawValue)"
        }
        let list = columns.indices.map { column($0) }.joined(separator: ", ")
        return "SELECT \(list) FROM main.\(name: name) ORDER BY \(terms.joined(separator: ", "))"
    }

    private func column(_ index: Int) -> SQL {
        isByRowID && index == 0 ? SQL(raw: columns[0]) : "\(name: columns[index])"
    }
}

extension TablePair {
    private static func encoding(of connections: (Connection, Connection)) throws -> String {
        let encodings = try [connections.0, connections.1].map { try $0.query("PRAGMA encoding") as String }
        guard encodings[0] == encodings[1] else {
            let reason = "the text of one file is \(encodings[0]), that of the other \(encodings[1])"
            throw Failure(reason, exitCode: .sqlError)
        }
        if encodings[0] == "UTF-16be" { throw Failure("their text is UTF-16be", exitCode: .sqlError) }
        return encodings[0]
    }

    private static func hasNull(_ table: TableDefinition, _ key: [String], _ connection: Connection) throws -> Bool {
        guard !table.isWithoutRowID else { return false }
        let conditions = key.map { "\(name: $0) IS NULL" as SQL }.joined(separator: " OR ")
        return try connection.query("SELECT EXISTS(SELECT 1 FROM main.\(name: table.name) WHERE \(conditions))")
    }

    private static func collation(of column: String, in table: TableDefinition) throws -> KeyCollation {
        var name = table.column(column)?.collation
        for constraint in table.constraints {
            guard case .primaryKey(let parts, _) = constraint.kind else { continue }
            let part = parts.first { $0.columnName.map { Identifier($0) } == Identifier(column) }
            name = part?.collation ?? name
        }
        guard let name else { return .binary }
        guard let collation = KeyCollation(rawValue: name.asciiUppercased) else {
            throw Failure("only its program knows the collation '\(name)'", exitCode: .sqlError)
        }
        return collation
    }

    private static func hasUniqueColumns(_ table: TableDefinition, besidesKey: Bool) -> Bool {
        if !besidesKey, !table.primaryKey.isEmpty { return true }
        return table.columns.contains { $0.unique != nil } || table.indexes.contains(where: \.isUnique)
            || table.constraints.contains { if case .unique = $0.kind { true } else { false } }
    }
}
