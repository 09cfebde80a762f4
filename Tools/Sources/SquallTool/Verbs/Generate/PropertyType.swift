import Squall

/// The Swift types of generated properties.
enum PropertyType: String {
    case integer = "Int64"
    case real = "Double"
    case text = "String"
    case blob = "Data"
    case bool = "Bool"
    case date = "Date"
    /// A value of any storage class.
    case any = "BindingValue"

    /// Returns the type for a declared type: a common name, or else what SQLite stores in such a column.
    ///
    /// - Parameter dates: Whether a column of dates becomes a `Date`, which not every text is.
    init(declared type: String, dates: Bool) {
        let type = type.uppercased()
        let name = type.prefix { $0 != "(" }.split(separator: " ").first.map(String.init) ?? ""
        if ["BOOL", "BOOLEAN"].contains(name) {
            self = .bool
        } else if ["DATE", "DATETIME", "TIMESTAMP"].contains(name) {
            self = dates ? .date : .text
        } else if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) || ["STRING", "JSON", "TIME"].contains(name) {
            self = .text
        } else if type.contains("BLOB") {
            self = .blob
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else if ["NUMERIC", "DECIMAL", "NUMBER", "MONEY", "CURRENCY", "DEC"].contains(name) {
            self = .real
        } else {
            self = .any
        }
    }

    /// The type that Squall declares for a column of the Swift type.
    func declaredType(isStrict: Bool) -> String {
        switch self {
        case .integer, .bool: "INTEGER"
        case .real: "REAL"
        case .text, .date: "TEXT"
        case .blob: "BLOB"
        case .any: isStrict ? "ANY" : ""
        }
    }
}
