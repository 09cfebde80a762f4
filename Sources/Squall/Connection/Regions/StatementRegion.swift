import SquallSQLite

/// The region of a statement, valid until SQLite prepares it again.
struct StatementRegion {
    /// The region, without regard to the values of the parameters.
    private let region: Region
    /// SQLite's count of preparations when the region was recorded.
    private let version: Int32
    /// Whether the statement reads a single row by its rowid, which is the last number of its SQL.
    private let isRowLookup: Bool

    init(_ region: Region, of statement: Statement) {
        self.region = region
        version = Self.version(of: statement)
        isRowLookup = Self.isRowLookup(statement, region)
    }

    private static func version(of statement: Statement) -> Int32 {
        sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    }

    func isCurrent(for statement: Statement) -> Bool { version == Self.version(of: statement) }

    /// Returns what the statement reads with the present values of its parameters.
    func limited(by statement: Statement) -> Region {
        guard isRowLookup, let sql = sqlite3_expanded_sql(statement.handle) else { return region }
        defer { sqlite3_free(sql) }
        // Only a number is a rowid. A text or a blob ends with a quote.
        guard let key = RowLookup.key(in: String(cString: sql)) else { return region }
        return region.limited(toRowID: key)
    }

    private static func isRowLookup(_ statement: Statement, _ region: Region) -> Bool {
        guard let (name, table) = region.tables.first, region.tables.count == 1, !region.isEverything, table.hasRowIDs,
            let column = table.rowIDColumn
        else { return false }
        return RowLookup(table: name.table, column: column).matches(statement.sql)
    }
}

/// The SQL that looks up a row of a table by the column that is its rowid: `SELECT name FROM cars WHERE cars.id = 3`.
struct RowLookup {
    let table: Identifier
    let column: Identifier

    /// Whether SQL is a look-up.
    ///
    /// It does not parse SQL, and refuses all that could be anything else, such as a list with a call, a subquery or a comment.
    func matches(_ sql: String) -> Bool {
        // In quotes, a key can be the name of a column.
        guard let sign = sql.lastIndex(of: "="), !sql[sign...].contains("\"") else { return false }
        let text = Array(sql[..<sign].utf8)
        guard text.allSatisfy({ $0.isPartOfName || " \t\r\n\",.*".utf8.contains($0) }) else { return false }
        let words = text.split { !$0.isPartOfName }.map { Identifier(String(decoding: $0, as: UTF8.self)) }
        let ends: [[Identifier]] = [["from", table, "where", table, column], ["from", table, "where", column]]
        guard words.first == "select", let end = ends.first(where: { words.suffix($0.count) == $0[...] }) else {
            return false
        }
        let others: Set<Identifier> = ["select", "from", "where", "in"]
        return others.isDisjoint(with: words.dropFirst().dropLast(end.count))
    }

    /// Returns the number at the end of a look-up: `3` of `… WHERE id = 3 LIMIT 1`.
    static func key(in sql: String) -> Int64? {
        guard let sign = sql.lastIndex(of: "=") else { return nil }
        let words = sql[sql.index(after: sign)...].split(separator: " ")
        guard let key = words.first, words.count == 1 || words.dropFirst().map({ Identifier($0) }) == ["limit", "1"]
        else { return nil }
        return Int64(key)
    }
}

extension UInt8 {
    /// Whether a byte is part of a name that needs no quotes.
    fileprivate var isPartOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
