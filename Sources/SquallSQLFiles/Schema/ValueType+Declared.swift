import Squall

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
        switch Affinity(declared) {
        case .integer: self = .int
        case .text: self = .string
        case .blob: self = .data
        case .real: self = .double
        case .numeric, .none: return nil
        }
    }

    /// Returns the storage class to which a column converts values in the form, so that they are not read again; `nil` where they stay as
    /// they are.
    func conversion(inColumn declared: String) -> String? {
        let affinity = Affinity(declared)
        return switch form {
        case .direct: nil
        case .unixTime, .unixMilliseconds, .julianDay: affinity == .text ? "TEXT" : nil
        // The JSON of a number is a number.
        case .json: Self.numbers.contains(name) && [.integer, .real, .numeric].contains(affinity) ? "a number" : nil
        }
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "Decimal",
    ]
}
