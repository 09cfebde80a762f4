extension String {
    /// The SQL of a statement with the semicolon that ends it.
    var withSemicolon: String {
        // After a comment, a semicolon on the same line would be part of the comment.
        let lastLine = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last
        return self + (lastLine?.contains("--".utf8) == true ? "\n;" : ";")
    }
}
