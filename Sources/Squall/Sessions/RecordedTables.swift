import SquallSQLite

/// A table of a database, as far as recording its changes depends on it.
struct RecordedTable {
    let name: String
    /// The columns, in their order, without generated ones.
    var columns: [String] = []
    /// The position of each column in the primary key, from 1; 0 for other columns.
    var keyPositions: [UInt8] = []
    fileprivate(set) var isStored = true
    fileprivate(set) var hasGeneratedColumns = false

    var hasKey: Bool { keyPositions.contains { $0 != 0 } }

    /// The reason why its changes cannot be recorded.
    var problem: SQLiteError.RecordingProblem? {
        if !isStored { return .notATable }
        if !hasKey { return .noPrimaryKey }
        return hasGeneratedColumns ? .generatedColumns : nil
    }
}

extension Connection {
    /// The endings of the names of the tables in which FTS5, FTS3, FTS4 and R*Tree keep their rows.
    private static let endings = """
        'data', 'idx', 'content', 'docsize', 'config', 'segments', 'segdir', 'stat', 'node', 'rowid', 'parent'
        """

    /// Returns the tables and views of a database, in the order of their names, without those of SQLite and those in which virtual
    /// tables keep their rows.
    func recordedTables(in database: String) throws -> [RecordedTable] {
        guard let handle else { throw closedError() }
        let sql: SQL = """
            SELECT m.name, m.rootpage != 0, p.name, p.pk, hidden
            FROM \(name: database).sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name, \(database)) AS p
            WHERE m.type IN ('table', 'view') AND substr(m.name, 1, 7) != 'sqlite_' AND NOT EXISTS (
                SELECT 1 FROM \(name: database).sqlite_master AS v WHERE v.type = 'table' AND v.rootpage = 0
                AND substr(m.name, 1, length(v.name) + 1) = v.name || '_' COLLATE NOCASE
                AND substr(m.name, length(v.name) + 2) IN (\(raw: Self.endings)))
            ORDER BY m.name, p.cid
            """
        if let failure = sql.failure { throw failure }
        var tables: [RecordedTable] = []
        let text = sql.withLiterals.text
        let code = forEachRowInternally(text, on: handle) { row in
            guard let name = sqlite3_column_text(row, 0).map({ String(cString: $0) }) else { return }
            if tables.last?.name != name { tables.append(RecordedTable(name: name)) }
            let last = tables.count - 1
            tables[last].isStored = sqlite3_column_int(row, 1) != 0
            guard let column = sqlite3_column_text(row, 2) else { return }
            // 0 is an ordinary column.
            if sqlite3_column_int(row, 4) != 0 { return tables[last].hasGeneratedColumns = true }
            tables[last].columns.append(String(cString: column))
            // SQLite's changesets have one byte for it.
            tables[last].keyPositions.append(UInt8(truncatingIfNeeded: sqlite3_column_int(row, 3)))
        }
        if code != SQLITE_OK { throw error(code, sql: text) }
        return tables
    }
}
