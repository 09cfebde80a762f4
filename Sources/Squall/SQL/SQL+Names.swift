extension SQL.StringInterpolation {
    /// Quotes a list of identifiers: `"id", "name"`.
    package mutating func appendInterpolation(names: some Sequence<String>) {
        for (index, name) in names.enumerated() {
            if index > 0 { appendLiteral(", ") }
            appendInterpolation(name: name)
        }
    }
}
