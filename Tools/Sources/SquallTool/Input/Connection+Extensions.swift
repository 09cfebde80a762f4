import Squall
import SquallSearch

extension Connection {
    /// Adds the tokenizers and functions that Squall adds to SQL, and that the tables, views and triggers of a file can therefore need.
    func withExtensions() throws -> Connection {
        // A SQLite that was built without FTS5 reads no table that needs it.
        try? addCJKTokenizer()
        try addVectorFunctions()
        return self
    }

    /// Returns the size of a page in bytes, which SQLCipher reports as TEXT.
    func pageSize() throws -> Int64 {
        try query("SELECT CAST(page_size AS INTEGER) FROM pragma_page_size")
    }

    /// Runs a closure that only reads, on one state of the file.
    ///
    /// The transaction is rolled back: where a statement has met damage, SQLite reports it once more at COMMIT, after all that
    /// can be read was read.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        defer { try? run("ROLLBACK") }
        return try body()
    }
}
