import SquallSQLite

/// The version of the SQLite library that the process uses.
enum SQLiteVersion {
    /// Its number: 3040001 for 3.40.1.
    static let number = Int(sqlite3_libversion_number())

    /// Whether FTS5 and R*Tree tables can be used by a schema that is not trusted.
    static let hasInnocuousSearch = number >= 3_044_000
}
