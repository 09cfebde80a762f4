// SQLite's functions for text. All are NULL for NULL, as their types show.

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    /// `lower(a)`, which changes only ASCII letters.
    public func lowercased() -> Expr { Expr(atom: "lower(\(sql))") }

    /// `upper(a)`, which changes only ASCII letters.
    public func uppercased() -> Expr { Expr(atom: "upper(\(sql))") }

    /// `trim(a)`, or `trim(a, ?)`
    public func trimmed(_ characters: String? = nil) -> Expr {
        Expr(atom: characters.map { "trim(\(sql), \($0))" } ?? "trim(\(sql))")
    }

    /// `replace(a, ?, ?)`
    public func replacing(_ text: String, with other: String) -> Expr {
        Expr(atom: "replace(\(sql), \(text), \(other))")
    }

    /// `substr(a, ?, ?)`: characters from a position, counted from 1, or from the end where it is negative.
    public func substring(from start: Int, length: Int? = nil) -> Expr {
        Expr(atom: length.map { "substr(\(sql), \(start), \($0))" } ?? "substr(\(sql), \(start))")
    }

    /// `a || ?`
    public func appending(_ text: String) -> Expr { Expr(operation: "\(operand) || \(text)") }

    /// `a || b`
    public func appending(_ other: Expr) -> Expr { Expr(operation: "\(operand) || \(other.operand)") }

    /// `a || b`; NULL where either is NULL
    public func appending<Other: StatementParameter>(_ other: Expr<Other>) -> Expr<String?>
    where Other.ColumnBase == String {
        Expr<String?>(operation: "\(operand) || \(other.operand)")
    }

    /// `length(a)`: the number of Unicode code points.
    public var length: Expr<Int?> { Expr<Int?>(atom: "length(\(sql))") }

    /// `instr(a, ?)`: the position of a text, counted from 1; 0 where it does not occur.
    public func index(of text: String) -> Expr<Int?> { Expr<Int?>(atom: "instr(\(sql), \(text))") }
}
