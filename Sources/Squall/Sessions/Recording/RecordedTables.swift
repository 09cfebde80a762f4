import SquallSQLite

/// A table of a database, as far as recording its changes depends on it.
struct RecordedTable {
    let name: String
    /// The columns, in their order, without generated ones.
    var columns: [String] = []
    /// The position of each column in the primary key, from 1; 0 for other columns.
    var keyPositions: [UInt8] = []
    /// The types of the columns.
    fileprivate(set) var types: [String] = []
    /// Whether a REAL column has a default.
    fileprivate(set) var hasRealDefault = false
    fileprivate(set) var isStored = true
    fileprivate(set) var hasGeneratedColumns = false

    var isKey: [Bool] { keyPositions.map { $0 != 0 } }

    var keyColumns: [String] { zip(isKey, columns).filter(\.0).map(\.1) }

    private var hasKey: Bool { isKey.contains(true) }

    /// The columns of the primary key, with their types.
    fileprivate var key: [(name: String, type: String)] {
        zip(isKey, zip(columns, types)).filter(\.0).map { ($1.0, $1.1) }
    }

    /// The reason why its changes cannot be recorded, apart from the values of its key.
    var problem: RecordingProblem? {
        if !isStored { return .notATable }
        if !hasKey { return .noPrimaryKey }
        return hasGeneratedColumns ? .generatedColumns : nil
    }
}

extension Connection {
    /// The endings of the names of the tables in which FTS5, FTS3, FTS4 and R*Tree keep their rows.
    private static let endings = [
        "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat", "node", "rowid", "parent",
    ]

    /// Returns the tables and views of a database, in the order of their names, without those of SQLite and those in which virtual
    /// tables keep their rows.
    func recordedTables(in database: String) throws -> [RecordedTable] {
        guard let handle else { throw closedError() }
        let sql: SQL = """
            SELECT m.name, m.rootpage != 0, m.type = 'table', p.name, p.pk, hidden, p.type, p.dflt_value IS NOT NULL
            FROM \(name: database).sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name, \(database)) AS p
            WHERE m.type IN ('table', 'view') ORDER BY m.name, p.cid
            """
        if let failure = sql.failure { throw failure }
        var (tables, shadows): ([RecordedTable], Set<Identifier>) = ([], [])
        let text = sql.withLiterals.text
        let code = forEachRowInternally(text, on: handle) { row in
            guard let name = sqlite3_column_text(row, 0).map({ String(cString: $0) }) else { return }
            if tables.last?.name != name {
                tables.append(RecordedTable(name: name))
                tables[tables.count - 1].isStored = sqlite3_column_int(row, 1) != 0
                if sqlite3_column_int(row, 1) == 0, sqlite3_column_int(row, 2) != 0 {
                    shadows.formUnion(Self.endings.map { Identifier("\(name)_\($0)") })
                }
            }
            let last = tables.count - 1
            guard let column = sqlite3_column_text(row, 3) else { return }
            // 0 is an ordinary column.
            if sqlite3_column_int(row, 5) != 0 { return tables[last].hasGeneratedColumns = true }
            tables[last].columns.append(String(cString: column))
            let type = sqlite3_column_text(row, 6).map { String(cString: $0) } ?? ""
            tables[last].types.append(type)
            if sqlite3_column_int(row, 7) != 0, Affinity(type) == .real { tables[last].hasRealDefault = true }
            // SQLite's changesets have one byte for it.
            tables[last].keyPositions.append(UInt8(truncatingIfNeeded: sqlite3_column_int(row, 4)))
        }
        if code != SQLITE_OK { throw error(code, sql: text) }
        return tables.filter { !$0.name.hasPrefix("sqlite_") && !shadows.contains(Identifier($0.name)) }
    }

    /// Returns the tables and views of a database by their names.
    func recordedTablesByName(in database: String) throws -> [Identifier: RecordedTable] {
        Dictionary(try recordedTables(in: database).map { (Identifier($0.name), $0) }) { first, _ in first }
    }

    /// Throws if changes of one of the tables, of those that exist, cannot be recorded any more.
    func checkRecordable(_ tables: [String]) throws {
        let names = Set(tables.map { Identifier($0) })
        for table in try recordedTables(in: "main") where names.contains(Identifier(table.name)) {
            try checkRecordable(table, in: "main")
        }
    }

    /// Throws if changes of a table cannot be recorded. Every recording begins with it.
    ///
    /// - Throws: ``SQLiteError``, with a ``RecordingProblem``.
    func checkRecordable(_ table: RecordedTable, in database: String) throws {
        guard let problem = try table.problem ?? inexactKey(of: table, in: database).map({ .inexactKey(column: $0) })
        else { return }
        throw SQLiteError(problem, of: .table(table.name))
    }

    /// Returns the first column of a primary key whose values can be equal and have other bytes. A session tells rows apart by the bytes
    /// of their keys, and SQLite by the collations of the columns, and 1 is 1.0.
    private func inexactKey(of table: RecordedTable, in database: String) throws -> String? {
        guard let handle else { throw closedError() }
        let key = table.key
        // A REAL is stored as an integer where it can be, and reported as either.
        if let column = key.first(where: { [.real, .none].contains(Affinity($0.type, isStrict: true)) }) {
            return column.name
        }
        if key.allSatisfy({ Affinity($0.type) == .integer }), key.count == 1 { return nil }
        for column in key {
            var collation: UnsafePointer<CChar>?
            let code = sqlite3_table_column_metadata(
                handle, database, table.name, column.name, nil, &collation, nil, nil, nil)
            if code != SQLITE_OK { throw error(code, sql: nil) }
            if collation.map({ Self.isBinary(String(cString: $0)) }) == false { return column.name }
        }
        let sql: SQL = """
            SELECT x.name, x.coll FROM pragma_index_list(\(table.name), \(database)) AS l,
            pragma_index_xinfo(l.name, \(database)) AS x WHERE l.origin = 'pk' AND x.key
            """
        let text = sql.withLiterals.text
        var found: String?
        let code = forEachRowInternally(text, on: handle) { row in
            func text(_ column: Int32) -> String? { sqlite3_column_text(row, column).map { String(cString: $0) } }
            if let collation = text(1), !Self.isBinary(collation), found == nil { found = text(0) }
        }
        if code != SQLITE_OK { throw error(code, sql: text) }
        return found
    }

    private static func isBinary(_ collation: String) -> Bool { Identifier(collation) == Identifier("BINARY") }
}
