extension String {
    /// SQift's additions to `String`.
    @_documentation(visibility: internal)
    public struct StringExtension: Sendable {
        fileprivate let text: String

        /// Returns the text as an SQL literal: `'it''s'`.
        @available(
            *, deprecated, message: "interpolate the value into a SQL, which binds it: \"… WHERE name = \\(name)\""
        )
        public func addingSQLEscapes() -> String {
            // Compares scalars: a quote with a combining mark is a different `Character` from a quote.
            let scalars = text.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
            return "'\(String(String.UnicodeScalarView(scalars)))'"
        }
    }

    /// SQift's additions to `String`.
    public var sqift: StringExtension { StringExtension(text: self) }
}
