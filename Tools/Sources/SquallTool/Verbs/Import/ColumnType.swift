/// The type of a column, by which the fields of a file become values.
enum ColumnType: Equatable {
    case integer, real, text, blob
    /// NUMERIC and the many types that SQLite treats so: a number if the text is one, otherwise text.
    case numeric
    /// No type, or ANY: what each field looks like.
    case any

    /// The type of a declared one, by SQLite's rules of affinity.
    init(declared type: String, isStrict: Bool) {
        let type = type.uppercased()
        if isStrict, type == "ANY" {
            self = .any
        } else if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.isEmpty {
            self = .any
        } else if type.contains("BLOB") {
            self = .blob
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else {
            self = .numeric
        }
    }

    /// The declared type of a new column.
    func declaration(isStrict: Bool) -> String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .numeric: isStrict ? "ANY" : "NUMERIC"
        case .any: isStrict ? "ANY" : ""
        }
    }

    /// Whether an empty field in quotes is NULL: a number cannot be empty.
    var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}
