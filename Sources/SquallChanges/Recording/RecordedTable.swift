import Squall
import SquallSQLite

/// A table of a database, as far as recording its changes depends on it.
struct RecordedTable {
    let name: String
    /// The columns, in their order, without generated ones.
    let columns: [String]
    /// The position of each column in the primary key, from 1; 0 for other columns.
    let keyPositions: [UInt8]
    /// The types of the columns.
    let types: [String]
    /// Whether a REAL column has a default.
    let hasRealDefault: Bool
    let isStored: Bool
    let hasGeneratedColumns: Bool

    fileprivate init(name: String, isStored: Bool, columns: [SchemaCatalog.Column]) {
        let ordinary = columns.filter { $0.storage == .ordinary }
        self.name = name
        self.isStored = isStored
        self.columns = ordinary.map(\.name)
        // SQLite's changesets have one byte for it.
        keyPositions = ordinary.map { UInt8(truncatingIfNeeded: $0.keyPosition) }
        types = ordinary.map(\.type)
        hasRealDefault = ordinary.contains { $0.defaultValue != nil && Affinity($0.type) == .real }
        hasGeneratedColumns = ordinary.count < columns.count
    }

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
        let catalog = try hiddenCatalog(of: database)
        let entries = try catalog.entries(.table, .view, by: .name)
        let virtual = entries.filter { $0.kind == .table && !$0.isStored }
        let shadows = Set(virtual.flatMap { table in Self.endings.map { Identifier("\(table.name)_\($0)") } })
        return try entries.filter { !$0.name.hasPrefix("sqlite_") && !shadows.contains(Identifier($0.name)) }.map {
            let columns = try catalog.allColumns(ofTable: $0.name)
            return RecordedTable(name: $0.name, isStored: $0.isStored, columns: columns)
        }
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
    /// - Throws: `SQLiteError`, with a ``RecordingProblem``.
    func checkRecordable(_ table: RecordedTable, in database: String) throws {
        guard let problem = try table.problem ?? inexactKey(of: table, in: database).map({ .inexactKey(column: $0) })
        else { return }
        throw SQLiteError(problem, of: .table(table.name))
    }

    /// Returns the first column of a primary key whose values can be equal and have other bytes. A session tells rows apart by the bytes
    /// of their keys, and SQLite by the collations of the columns, and 1 is 1.0.
    private func inexactKey(of table: RecordedTable, in database: String) throws -> String? {
        let key = table.key
        // A REAL is stored as an integer where it can be, and reported as either.
        if let column = key.first(where: { [.real, .none].contains(Affinity($0.type, isStrict: true)) }) {
            return column.name
        }
        if key.allSatisfy({ Affinity($0.type) == .integer }), key.count == 1 { return nil }
        for column in key where try !isBinary(column.name, of: table, in: database) { return column.name }
        let catalog = try hiddenCatalog(of: database)
        guard let index = try catalog.indexes(ofTable: table.name).first(where: { $0.origin == .primaryKey }) else {
            return nil
        }
        return try catalog.columns(ofIndex: index.name)
            .first { $0.isInKey && $0.collation.map(Self.isBinary) == false }?.name
    }

    /// Returns the positions of the columns of a table of `main` in which values with other bytes can be equal for SQLite: texts by a
    /// collation, and the numbers 1 and 1.0 where the column has no type that makes them one.
    func inexactColumns(of table: RecordedTable) throws -> (texts: [Int], numbers: [Int]) {
        let columns = table.columns.indices
        return (
            texts: try columns.filter { try !isBinary(table.columns[$0], of: table, in: "main") },
            numbers: columns.filter { [.none, .blob].contains(Affinity(table.types[$0], isStrict: true)) }
        )
    }

    /// Whether the texts of a column are compared by their bytes.
    private func isBinary(_ column: String, of table: RecordedTable, in database: String) throws -> Bool {
        guard let handle else { throw closedError() }
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(handle, database, table.name, column, nil, &collation, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, sql: nil) }
        return collation.map { Self.isBinary(String(cString: $0)) } != false
    }

    private static func isBinary(_ collation: String) -> Bool { Identifier(collation) == Identifier("BINARY") }
}
