// SQLite's functions for text. All are NULL for NULL, as their types show.

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    /// `lower(a)`, which changes only ASCII letters.
    public func lowercased() -> Expr { Expr(atom: "lower(\(plain))") }

    /// `upper(a)`, which changes only ASCII letters.
    public func uppercased() -> Expr { Expr(atom: "upper(\(plain))") }

    /// `trim(a)`, or `trim(a, ?)`
    public func trimmed(_ characters: String? = nil) -> Expr {
        Expr(atom: characters.map { "trim(\(plain), \($0))" } ?? "trim(\(plain))")
    }

    /// `replace(a, ?, ?)`
    public func replacing(_ text: String, with other: String) -> Expr {
        Expr(atom: "replace(\(plain), \(text), \(other))")
    }

    /// `substr(a, ?, ?)`: characters from a position, counted from 1, or from the end where it is negative.
    public func substring(from start: Int, length: Int? = nil) -> Expr {
        Expr(atom: length.map { "substr(\(plain), \(start), \($0))" } ?? "substr(\(plain), \(start))")
    }

    /// `a || ?`
    public func appending(_ text: String) -> Expr { followed(" || ", by: "\(text)") }

    /// `a || b`
    public func appending(_ other: Expr) -> Expr { concatenated(other) }

    /// `a || b`; NULL where either is NULL
    public func appending<Other: StatementParameter>(_ other: Expr<Other>) -> Expr<String?>
    where Other.ColumnBase == String {
        concatenated(other)
    }

    /// `length(a)`: the number of Unicode code points.
    public var length: Expr<Int?> { Expr<Int?>(atom: "length(\(plain))") }

    /// `instr(a, ?)`: the position of a text, counted from 1; 0 where it does not occur.
    public func index(of text: String) -> Expr<Int?> { Expr<Int?>(atom: "instr(\(plain), \(text))") }
}

// Conditions on a part of a text. LIKE would ignore the case of ASCII letters, give `%` and `_` a meaning, and refuse long patterns.

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    /// `instr(a, ?) > 0`: the text contains another one, compared byte by byte, whatever the collation of the column
    ///
    ///     User.where { $0.name.contains("50%") }      // instr("users"."name", ?) > 0
    ///
    /// Every text contains the empty one. A column with a ``StorageForm`` compares the stored forms; for the form `json`, the query throws.
    public func contains(_ text: String) -> Condition { hasPart(bind(text), at: .anywhere) }

    /// `substr(CAST(a AS TEXT), 1, length(?)) = ?`: the text begins with another one, compared byte by byte, whatever the collation of the
    /// column
    ///
    ///     User.where { $0.name.hasPrefix("50_") }
    ///
    /// For a text with U+0000, at which `substr` ends, it is `instr(a, ?) = 1`. A column with a ``StorageForm`` compares the stored
    /// forms; for the form `json`, the query throws.
    public func hasPrefix(_ text: String) -> Condition { hasPart(bind(text), at: .start) }

    /// `substr(CAST(a AS BLOB), -length(CAST(? AS BLOB))) IS CAST(? AS BLOB)`: the text ends in another one, compared byte by byte,
    /// whatever the collation of the column
    ///
    ///     User.where { $0.name.hasSuffix("_b") }
    ///
    /// It is not true for NULL in a column of an optional property, and neither is its negation. A column with a ``StorageForm`` compares
    /// the stored forms; for the form `json`, the query throws.
    public func hasSuffix(_ text: String) -> Condition { hasPart(bind(text), at: .end) }
}

extension Expr
where Value: StatementParameter, Value.ColumnBase: RawRepresentable, Value.ColumnBase.RawValue == String {
    /// `instr(a, ?) > 0`: the raw value contains a text, compared byte by byte, whatever the collation of the column
    public func contains(_ text: String) -> Condition { hasPart(bind(rawValue: text), at: .anywhere) }

    /// `substr(CAST(a AS TEXT), 1, length(?)) = ?`: the raw value begins with a text, compared byte by byte, whatever the collation of the
    /// column
    public func hasPrefix(_ text: String) -> Condition { hasPart(bind(rawValue: text), at: .start) }

    /// `substr(CAST(a AS BLOB), -length(CAST(? AS BLOB))) IS CAST(? AS BLOB)`: the raw value ends in a text, compared byte by byte,
    /// whatever the collation of the column
    public func hasSuffix(_ text: String) -> Condition { hasPart(bind(rawValue: text), at: .end) }

    /// Returns a text as a parameter, in the form of the column.
    private func bind(rawValue text: String) -> SQL {
        if form == nil { return "\(text)" }
        return Value.ColumnBase(rawValue: text).map { bind($0) } ?? failing("\(text)")
    }
}

/// The place of a part in a text.
private enum TextPlace {
    case anywhere, start, end
}

extension Expr {
    /// Returns the condition that the stored values have a part, which is a parameter.
    fileprivate func hasPart(_ part: SQL, at place: TextPlace) -> Condition {
        // A part of a JSON text is not the JSON text of a part.
        let text = form?.isJSON == true ? failing(sql) : sql
        let position: SQL = "instr(\(text), \(part))"
        switch (place, part.parameters.first) {
        case (.anywhere, _), (_, .text("")): return Condition("\(position) > 0", .comparison)
        case (.start, .text(let start)?) where start.utf8.contains(0): return Condition("\(position) = 1", .comparison)
        case (.start, _): return Condition("substr(CAST(\(text) AS TEXT), 1, length(\(part))) = \(part)", .comparison)
        case (.end, _):
            // Bytes, because `substr` of TEXT ends at the first U+0000; with IS, because `substr` of no bytes is NULL.
            let bytes: SQL = "CAST(\(part) AS BLOB)"
            let condition: SQL = "substr(CAST(\(text) AS BLOB), -length(\(bytes))) IS \(bytes)"
            guard Value.self is any OptionalValue.Type else { return Condition(condition, .comparison) }
            return Condition("CASE WHEN \(operand) IS NOT NULL THEN \(condition) END", .comparison)
        }
    }
}
