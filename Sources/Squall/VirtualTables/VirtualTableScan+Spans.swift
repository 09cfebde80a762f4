extension VirtualTableScan {
    /// Calls a closure with the bytes of the value of a constraint, a BLOB, without a copy.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for NULL and a value of another type; `SQLITE_MISUSE` (21) for a position that the
    ///   plan does not have; the error of the closure.
    public func withBytes<Result>(_ position: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        let value = try constraint(at: position)
        if let result = try SQLiteValue(value).withBytes(body) { return result }
        throw typeError(value, "constraint \(position)", [UInt8].self)
    }

    /// Calls a closure with the UTF-8 of the value of a constraint, a TEXT, without a copy.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for NULL, a value of another type and TEXT that is not valid UTF-8;
    ///   `SQLITE_MISUSE` (21) for a position that the plan does not have; the error of the closure.
    public func withUTF8<Result>(_ position: Int, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        let value = try constraint(at: position)
        if let result = try SQLiteValue(value).withUTF8(body) { return result }
        throw typeError(value, "constraint \(position)", String.self)
    }
}

extension WrittenRow {
    /// Calls a closure with the bytes of a BLOB, without a copy.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for NULL and a value of another type; `SQLITE_RANGE` (25) for a position that the
    ///   table does not have; the error of the closure.
    public func withBytes<Result>(_ column: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        let value = try value(at: column)
        if let result = try SQLiteValue(value).withBytes(body) { return result }
        throw typeError(value, column, [UInt8].self)
    }

    /// Calls a closure with the UTF-8 of a TEXT, without a copy.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for NULL, a value of another type and TEXT that is not valid UTF-8;
    ///   `SQLITE_RANGE` (25) for a position that the table does not have; the error of the closure.
    public func withUTF8<Result>(_ column: Int, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        let value = try value(at: column)
        if let result = try SQLiteValue(value).withUTF8(body) { return result }
        throw typeError(value, column, String.self)
    }
}
