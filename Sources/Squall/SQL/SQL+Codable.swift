extension SQL: Codable {
    /// Encodes the text, with its values written as literals.
    ///
    /// - Throws: ``SQLiteError`` for a value that has no literal; `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        let sql = withLiterals
        if let failure = sql.failure { throw failure }
        var container = encoder.singleValueContainer()
        try container.encode(sql.text)
    }

    /// Decodes a text, which is the SQL.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self.init(raw: try decoder.singleValueContainer().decode(String.self))
    }
}
