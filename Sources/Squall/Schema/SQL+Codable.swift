extension SQL: Codable {
    /// The text, with its values written as literals.
    public func encode(to encoder: any Encoder) throws {
        if let failure { throw failure }
        var container = encoder.singleValueContainer()
        try container.encode(withLiterals.text)
    }

    public init(from decoder: any Decoder) throws {
        self.init(raw: try decoder.singleValueContainer().decode(String.self))
    }
}
