extension Statement: CustomStringConvertible {
    /// The SQL as it was given: `Statement("SELECT * FROM cars WHERE id = ?")`. Bound values are not shown.
    public var description: String { "Statement(\"\(sql)\")" }
}

extension Connection: CustomStringConvertible {
    /// The path of the main database file: `Connection("/tmp/app.db")`, `Connection(no file)`, `Connection(closed)`.
    public var description: String {
        if isClosed { return "Connection(closed)" }
        return fileName.isEmpty ? "Connection(no file)" : "Connection(\"\(fileName)\")"
    }
}
