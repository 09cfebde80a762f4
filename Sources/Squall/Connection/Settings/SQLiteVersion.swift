import SquallSQLite

enum SQLiteVersion {
    /// The version of the SQLite library at run time: 3040001 for 3.40.1.
    static let number = Int(sqlite3_libversion_number())
}
