extension ValueType {
    /// The type of a column by its declared type.
    ///
    /// It is `nil` for a column that usually has values of several types, or of another type than its affinity: DATE,
    /// NUMERIC, JSON, POINT, ANY.
    init?(declared: String) {
        let type = declared.asciiUppercased
        if type == "BOOL" || type == "BOOLEAN" {
            self = .bool
        } else if type.contains("INT"), type.hasSuffix("POINT") {
            // Geometry in a BLOB, whose affinity is INTEGER by accident.
            return nil
        } else {
            self.init(affinityOf: type)
        }
    }

    /// The type of the affinity that SQLite derives from a declared type, and from the type of a CAST; `nil` for NUMERIC, which is
    /// INTEGER or REAL.
    init?(affinityOf declared: String) {
        let type = declared.asciiUppercased
        if type.contains("INT") {
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
