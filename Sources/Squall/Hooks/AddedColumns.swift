import SquallSQLite

/// The columns that were added to a table after a row: `ALTER TABLE ADD COLUMN` leaves the rows as they are, and SQLite fills in the
/// defaults when it reads them. The pre-update hook of SQLite 3.40 and 3.46 reports NULL instead; later ones report the default, though
/// 1 for 1.0.
package enum AddedColumns {
    /// The reports of the hook of this SQLite. The value is only compared, never read.
    nonisolated(unsafe) private static let reported = squall_find_added_columns()

    /// Whether the hook of this SQLite does not report defaults.
    package static var areUnreported: Bool { reported.missing != nil }

    /// Whether the hook of this SQLite reports an integral default of a REAL column as an integer.
    package static var haveIntegers: Bool { reported.has_integers != 0 }

    /// Returns the number of columns that the row before a change has, if there are more now, inside the pre-update hook.
    package static func countBefore(on handle: OpaquePointer) -> Int? {
        var count = Int(squall_preupdate_count(handle))
        guard isMissing(count - 1, on: handle) else { return nil }
        repeat { count -= 1 } while isMissing(count - 1, on: handle)
        return count
    }

    private static func isMissing(_ column: Int, on handle: OpaquePointer) -> Bool {
        guard let missing = reported.missing, column >= 0 else { return false }
        var value: OpaquePointer?
        return squall_preupdate_old(handle, Int32(column), &value) == SQLITE_OK && value == missing
    }

    /// Returns the values of the columns of a table that a row does not have.
    ///
    /// - Parameter count: The number of columns that the row has.
    /// - Returns: `nil` for a table with columns that are not stored, which SQLite reports as missing too.
    package static func defaults(
        of table: String, in database: String, after count: Int, on connection: Connection, _ handle: OpaquePointer
    ) throws -> [BindingValue]? {
        let catalog = try connection.hiddenCatalog(of: database, on: handle)
        let columns = try catalog.allColumns(ofTable: table)
        if columns.contains(where: { $0.storage == .computed }) { return nil }
        let isStrict = try catalog.listing(ofTable: table)?.isStrict ?? false
        return try columns.dropFirst(count).map { column in
            guard let value = column.defaultValue else { return .null }
            return try Self.value(ofDefault: value, Affinity(column.type, isStrict: isStrict))
        }
    }

    /// Returns the value of a default, which is a literal or a constant expression, as a column stores it.
    ///
    /// - Parameter sql: The SQL, as `PRAGMA table_xinfo` has it.
    package static func value(ofDefault sql: String, _ affinity: Affinity) throws -> BindingValue {
        try ColumnDefault(sql: sql, affinity: affinity).value
    }
}

/// The default of a column that was added to a table with rows.
private struct ColumnDefault: Hashable {
    let sql: String
    let affinity: Affinity

    private static let known = KnownDefaults()

    /// The value that SQLite reads in a row without the column.
    var value: BindingValue {
        get throws {
            if let known = Self.known[self] { return known }
            let value = try read()
            Self.known[self] = value
            return value
        }
    }

    /// Adds such a column to a table of a new database in memory, and reads it.
    private func read() throws -> BindingValue {
        let type = affinity.typeName
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        do {
            try connection.run("ALTER TABLE t ADD COLUMN b \(raw: type) DEFAULT \(raw: sql)")
        } catch is SQLiteError {
            // The PRAGMA leaves out the parentheses of an expression. A word without them is a text.
            try connection.run("ALTER TABLE t ADD COLUMN b \(raw: type) DEFAULT (\(raw: sql))")
        }
        return try connection.query("SELECT b FROM t") ?? .null
    }
}

/// Sendable, because the variable is used only under the lock.
private final class KnownDefaults: @unchecked Sendable {
    private let lock = Lock()
    private var values: [ColumnDefault: BindingValue] = [:]

    subscript(column: ColumnDefault) -> BindingValue? {
        get { lock.withLock { values[column] } }
        set {
            lock.withLock {
                // The schemas of many files: a file has some.
                if values.count == 1000 { values = [:] }
                values[column] = newValue
            }
        }
    }
}
