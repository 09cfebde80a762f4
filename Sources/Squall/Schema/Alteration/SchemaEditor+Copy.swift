extension SchemaEditor {
    /// The number of rows copied between two progress reports.
    private static let rowsPerReport = 10_000

    /// Runs `INSERT OR ABORT INTO main."new"(rowid, "a", "b") SELECT rowid, "a", lower("b") FROM main."old"`.
    ///
    /// It is a single statement, which needs no memory for the rows. With a progress closure, there is one statement for
    /// every 10,000 rowids.
    func copyRows(_ rebuild: TableRebuild, into name: String) throws {
        let (old, new) = (rebuild.old, rebuild.new)
        let source = CopySource(rebuild)
        var columns: [SQL] = []
        var values: [SQL] = []
        for column in new.columns where column.generated == nil {
            guard let value = source.value(of: column.name) else { continue }
            columns.append("\(name: column.name)")
            values.append(value)
        }
        // The rowid is copied too, unless one of the columns is an alias of it.
        let isKeyCopied = new.rowIDColumn.map { source.value(of: $0) != nil } ?? false
        if !isKeyCopied, let oldRowID = source.rowID, let rowID = new.rowIDName {
            columns.insert(SQL(raw: rowID), at: 0)
            values.insert(oldRowID, at: 0)
        }
        guard !columns.isEmpty else {
            throw SchemaError.invalid(["no value of the table \"\(old.name)\" would be kept"])
        }
        // `OR ABORT`, because a conflict clause of the table, such as `ON CONFLICT IGNORE`, would silently skip rows.
        let insert: SQL = """
            INSERT OR ABORT INTO main.\(name: name)(\(columns.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM \(source.table)
            """
        guard progress != nil, let rowID = source.rowID else { return try run(insert) }
        try copyInPieces(insert, rowID: rowID, table: old.name, name: SQL(raw: old.rowIDName ?? "rowid"))
    }

    private func copyInPieces(_ insert: SQL, rowID: SQL, table: String, name: SQL) throws {
        let all: Int = try connection.query("SELECT count(*) FROM main.\(name: table)")
        var copied = 0
        var last: Int64?
        try report(copied: 0, of: all)
        while true {
            let start: SQL = last.map { " WHERE \(name) > \($0)" } ?? ""
            let end: Int64? = try connection.query(
                """
                SELECT max(r) FROM (SELECT \(name) AS r FROM main.\(name: table)\(start) ORDER BY r \
                LIMIT \(Self.rowsPerReport))
                """
            )
            guard let end else { return }
            let piece: SQL = last.map { "\(rowID) > \($0) AND \(rowID) <= \(end)" } ?? "\(rowID) <= \(end)"
            try run(insert + " WHERE " + piece)
            copied += connection.changes
            last = end
            try report(copied: copied, of: all)
        }
    }
}

/// The old table as the source of the new rows.
private struct CopySource {
    let table: SQL
    /// The rowid of the old table, if it has a rowid that can be named.
    let rowID: SQL?
    private let fillings: [Identifier: SQL]
    private let added: Set<Identifier>
    private let columns: [Identifier: SQL]

    init(_ rebuild: TableRebuild) {
        let old = rebuild.old
        fillings = rebuild.fillings
        added = rebuild.added
        var columns: [Identifier: SQL] = [:]
        guard !rebuild.aliases.isEmpty, !rebuild.fillings.isEmpty else {
            table = "main.\(name: old.name)"
            rowID = old.rowIDName.map { SQL(raw: $0) }
            for column in old.columns { columns[Identifier(column.name)] = "\(name: column.name)" }
            self.columns = columns
            return
        }
        // Fillings may use the old names of renamed columns, so the row offers both names. Plainly copied values get
        // separate names. SQLite flattens both queries into one.
        var list: [SQL] = []
        if let rowID = old.rowIDName { list.append("\(raw: rowID) AS squall_rowid") }
        for (index, column) in old.columns.enumerated() {
            let copy: SQL = "\(name: "squall_\(index)")"
            list.append("\(name: column.name) AS \(copy)")
            columns[Identifier(column.name)] = copy
        }
        var names: Set<Identifier> = []
        for alias in rebuild.aliases where names.insert(alias.name).inserted {
            list.append("\(name: alias.column.spelling) AS \(name: alias.name.spelling)")
        }
        for column in old.columns where names.insert(Identifier(column.name)).inserted {
            list.append("\(name: column.name)")
        }
        // A filling may name the table, as in a subquery that has such a column too.
        table = "(SELECT \(list.joined(separator: ", ")) FROM main.\(name: old.name)) AS \(name: old.name)"
        rowID = old.rowIDName == nil ? nil : "squall_rowid"
        self.columns = columns
    }

    func value(of column: String) -> SQL? {
        let name = Identifier(column)
        return fillings[name] ?? (added.contains(name) ? nil : columns[name])
    }
}
