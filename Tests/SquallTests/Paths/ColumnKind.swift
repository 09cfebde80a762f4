/// The declaration of a column: the type that the Swift type or its form gives, another one for each affinity, or one of a STRICT table.
enum ColumnKind: String, CaseIterable {
    case declared, text, integer, real, numeric, blob, untyped
    case strictText, strictInteger, strictInt, strictReal, strictBlob, strictAny

    /// The kind of the columns of the tables that a test uses. A table belongs to a Swift type, which the kind is no part of.
    @TaskLocal static var current = ColumnKind.declared

    /// The type in SQL; `nil` for that of the declaration.
    var type: String? {
        switch self {
        case .declared: nil
        case .text, .strictText: "TEXT"
        case .integer, .strictInteger: "INTEGER"
        case .strictInt: "INT"
        case .real, .strictReal: "REAL"
        case .numeric: "NUMERIC"
        case .blob, .strictBlob: "BLOB"
        case .untyped: ""
        case .strictAny: "ANY"
        }
    }

    var isStrict: Bool {
        switch self {
        case .declared, .text, .integer, .real, .numeric, .blob, .untyped: false
        case .strictText, .strictInteger, .strictInt, .strictReal, .strictBlob, .strictAny: true
        }
    }
}
