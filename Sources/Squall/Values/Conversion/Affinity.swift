/// The affinity of a column type, by which SQLite converts values.
package enum Affinity: UInt16 {
    case integer, real, numeric, text, blob, none

    package init(_ type: String, isStrict: Bool = false) {
        let type = type.uppercased()
        self =
            if isStrict && type == "ANY" {
                .none
            } else if type.contains("INT") {
                .integer
            } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                .text
            } else if type.contains("BLOB") {
                .blob
            } else if type.isEmpty {
                .none
            } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                .real
            } else {
                .numeric
            }
    }

    /// The type of a column that has the affinity.
    package var typeName: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        case .text: "TEXT"
        case .blob, .none: ""
        }
    }
}
