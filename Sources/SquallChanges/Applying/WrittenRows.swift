import Squall
import SquallSQLite

/// Compares the rows that changes have written with what they were to write.
///
/// Other values can be the work of the type of a column, of a clause such as `ON CONFLICT REPLACE`, or of an error in this library:
/// nothing is committed then. The rows of a table are not read if it has no such clause, and its columns store all that the changes have as
/// it is.
final class WrittenRows {
    private let connection: Connection
    private let tables: [Identifier: RecordedTable]
    private let statements: RowStatements
    private var tableName = CachedName()
    /// The last table.
    private var table: Table?
    /// The tables whose rows are read; `nil` for all.
    private var readTables: Set<Identifier>?

    private struct Table {
        let name: String
        let columns: [String]
        let keyColumns: [Int32]
        let sql: String
    }

    /// - Parameters:
    ///   - tables: The tables of `main`.
    ///   - classes: The storage classes of the columns of the changes; `nil` to read each row.
    init(
        _ connection: Connection, tables: [Identifier: RecordedTable],
        _ classes: [Identifier: [ChangesetScanner.StorageClasses]]?
    ) throws {
        self.connection = connection
        self.tables = tables
        statements = RowStatements(connection)
        guard let classes, try connection.isUTF8 else { return }
        readTables = try Set(
            classes.keys.filter { name in
                guard let table = tables[name], let classes = classes[name] else { return false }
                let areStored = zip(table.types, classes).allSatisfy { Affinity($0).stores($1) }
                return try !areStored || connection.hasConflictClause(table.name)
            })
    }

    /// Whether no row can differ from its changes.
    var areAllStored: Bool { readTables?.isEmpty == true }

    /// Throws for the first row that differs from its change.
    func check(_ changes: Changeset) throws {
        try changes.withIterator { iterator in
            while try iterator.next() { try check(iterator) { _, _ in true } }
        }
    }

    /// Throws if a row differs from its change.
    ///
    /// - Parameter isWritten: Whether a change of a table, which has a key, was not left out.
    func check(
        _ iterator: borrowing ChangesetIterator, where isWritten: (String, [OpaquePointer?]) -> Bool
    ) throws {
        let (name, count, operation, _) = try iterator.header()
        if table == nil || !tableName.equals(name) {
            table = try tableName.string(name).flatMap { try self.table($0, count, iterator) }
        }
        guard let table else { return }
        let isDelete = operation == SQLITE_DELETE
        let read = operation == SQLITE_INSERT ? sqlite3changeset_new : sqlite3changeset_old
        let key = try table.keyColumns.map { try iterator.value($0, read) }
        guard isWritten(table.name, key) else { return }
        let difference = try statements.run(table.sql, key) { row in
            if isDelete { return Difference.row }
            for column in 0..<count {
                guard let meant = try iterator.value(column, sqlite3changeset_new) else { continue }
                if !isEqual(meant, sqlite3_column_value(row, column)) { return .column(table.columns[Int(column)]) }
            }
            return Difference.none
        }
        let found = difference ?? (isDelete ? .none : .row)
        if found != .none { throw error(table, key, found) }
    }

    private enum Difference: Equatable {
        case none
        /// The row is missing, or still there.
        case row
        case column(String)
    }

    private func table(_ name: String, _ count: Int32, _ iterator: borrowing ChangesetIterator) throws -> Table? {
        guard readTables?.contains(Identifier(name)) != false, let table = tables[Identifier(name)],
            table.columns.count >= count
        else { return nil }
        let keyColumns = try iterator.keyColumns(count)
        let key = keyColumns.map { table.columns[Int($0)] }
        let sql: SQL = """
            SELECT \(names: table.columns) FROM main.\(name: name) WHERE (\(names: key)) = (\(SQL.parameters(key.count)))
            """
        return Table(name: name, columns: table.columns, keyColumns: keyColumns, sql: sql.text)
    }

    private func error(_ table: Table, _ key: [OpaquePointer?], _ difference: Difference) -> SQLiteError {
        var column: String?
        if case .column(let name) = difference { column = name }
        let key = key.map { $0.map { SQLiteValue($0).bindingValue } ?? .null }
        return .differentRow(of: table.name, key: key, column: column)
    }

    /// Whether two values have the same type and bytes, or are equal numbers: REAL columns store 1.0 as an integer.
    private func isEqual(_ left: OpaquePointer, _ right: OpaquePointer?) -> Bool {
        let type = sqlite3_value_type(left)
        switch (type, sqlite3_value_type(right)) {
        case (SQLITE_INTEGER, SQLITE_INTEGER): return sqlite3_value_int64(left) == sqlite3_value_int64(right)
        case (SQLITE_FLOAT, SQLITE_FLOAT): return sqlite3_value_double(left) == sqlite3_value_double(right)
        case (SQLITE_INTEGER, SQLITE_FLOAT):
            return Int64(exactly: sqlite3_value_double(right)) == sqlite3_value_int64(left)
        case (SQLITE_FLOAT, SQLITE_INTEGER):
            return Int64(exactly: sqlite3_value_double(left)) == sqlite3_value_int64(right)
        case (SQLITE_NULL, SQLITE_NULL): return true
        case (SQLITE_TEXT, SQLITE_TEXT), (SQLITE_BLOB, SQLITE_BLOB):
            // Of a text, in UTF-8, whose bytes are there after this call.
            let (leftBytes, rightBytes) =
                type == SQLITE_TEXT
                ? (UnsafeRawPointer(sqlite3_value_text(left)), UnsafeRawPointer(sqlite3_value_text(right)))
                : (sqlite3_value_blob(left), sqlite3_value_blob(right))
            let count = sqlite3_value_bytes(left)
            guard count == sqlite3_value_bytes(right) else { return false }
            guard let leftBytes, let rightBytes else { return leftBytes == rightBytes }
            return memcmp(leftBytes, rightBytes, Int(count)) == 0
        default: return false
        }
    }
}

extension SQLiteError {
    /// The error of a row of a table that is not what the changes say.
    static func differentRow(of table: String, key: [BindingValue], column: String?) -> SQLiteError {
        let key = key.map { ("\($0)" as SQL).withLiterals.text }.joined(separator: ", ")
        return SQLiteError(ChangesetProblem.differentRow(key: key, column: column), of: .table(table))
    }
}

extension Affinity {
    /// Whether a column stores all values of some storage classes as they are, or as the numbers that are equal to them.
    fileprivate func stores(_ classes: ChangesetScanner.StorageClasses) -> Bool {
        switch self {
        case .blob, .none: true
        case .text: classes.isDisjoint(with: [.integer, .real])
        case .integer, .numeric: !classes.contains(.text)
        // Not all integers are numbers of this type.
        case .real: classes.isDisjoint(with: [.text, .integer])
        }
    }
}

extension Connection {
    /// Whether text is stored as it is bound.
    fileprivate var isUTF8: Bool {
        get throws {
            var isUTF8 = false
            try forEachRowInternally("PRAGMA main.encoding") { isUTF8 = $0.text(0) == "UTF-8" }
            return isUTF8
        }
    }

    /// Whether a constraint of a table may replace or ignore rows.
    func hasConflictClause(_ table: String) throws -> Bool {
        try hiddenCatalog().entry(.table, named: table)?.hasConflictClause == true
    }

    /// The clause of an INSERT or an UPDATE that keeps a constraint of a table from replacing other rows: empty where there is none.
    func orAbort(_ table: String) throws -> SQL { try hasConflictClause(table) ? " OR ABORT" : "" }
}

extension SchemaCatalog.Entry {
    /// Whether the SQL of a table has a clause that replaces or ignores rows.
    var hasConflictClause: Bool { SQLTokenizer.tokens(of: sql ?? "").contains { $0.is("CONFLICT") } }
}
