// SQLite's functions for text. All are NULL for NULL, as their type says.

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    /// `lower(a)`: of ASCII letters alone.
    public func lowercased() -> Expr { Expr(atom: "lower(\(sql))") }

    /// `upper(a)`: of ASCII letters alone.
    public func uppercased() -> Expr { Expr(atom: "upper(\(sql))") }

    /// `trim(a)`, or `trim(a, ?)`
    public func trimmed(_ characters: String? = nil) -> Expr {
        Expr(atom: characters.map { "trim(\(sql), \($0))" } ?? "trim(\(sql))")
    }

    /// `replace(a, ?, ?)`
    public func replacing(_ text: String, with other: String) -> Expr {
        Expr(atom: "replace(\(sql), \(text), \(other))")
    }

    /// `substr(a, ?, ?)`: characters from a place, counted from 1; from the end for a negative one.
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

    /// `instr(a, ?)`: where a text begins, counted from 1; 0 for nowhere.
    public func index(of text: String) -> Expr<Int?> { Expr<Int?>(atom: "instr(\(sql), \(text))") }
}
