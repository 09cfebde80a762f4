extension String {
    /// Doubles each quote. It compares scalars: a quote with a combining mark is a different `Character` from a quote.
    package func doubling(_ quote: Unicode.Scalar) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if scalar == quote { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
