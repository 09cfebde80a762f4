import Squall

extension Connection {
    /// Adds the tokenizers and functions that Squall adds to SQL, and that the tables, views and triggers of a file can therefore need.
    func withExtensions() throws -> Connection {
        // A SQLite that was built without FTS5 reads no table that needs it.
        try? addCJKTokenizer()
        try addVectorFunctions()
        return self
    }
}
