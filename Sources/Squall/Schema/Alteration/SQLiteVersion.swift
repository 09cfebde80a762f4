import SquallSQLite

enum SQLiteVersion {
    /// 3040001 for 3.40.1: of the library that runs.
    static let number = Int(sqlite3_libversion_number())
}
