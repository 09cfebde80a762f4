import Squall

extension Connection {
    /// Adds the tokenizers and functions that Squall adds to SQL, and that the tables, views and triggers of a file can therefore need.
    func withExtensions() throws -> Connection {
        // Without FTS5 there is no tokenizer, and no table that has one.
        try? addCJKTokenizer()
        try addVectorFunctions()
        return self
    }
}
