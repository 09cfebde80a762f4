extension ValueType {
    /// The type of a column by its declared type, as SQLite derives the affinity from it.
    ///
    /// It is `nil` for a column that usually has values of several types, or of another type than its affinity: DATE,
    /// NUMERIC, JSON, POINT, ANY.
    init?(declared: String) {
        let type = declared.asciiUppercased
        if type == "BOOL" || type == "BOOLEAN" {
            self = .bool
        } else if type.contains("INT") {
            // Geometry in a BLOB, whose affinity is INTEGER by accident.
            if type.hasSuffix("POINT") { return nil }
            self = .int
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .string
        } else if type.contains("BLOB") {
            self = .data
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .double
        } else {
            return nil
        }
    }
}
