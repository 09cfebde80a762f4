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
