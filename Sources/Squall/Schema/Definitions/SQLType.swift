/// The declared SQL types for Swift types.
enum SQLType {
    /// Returns the declared type of a column that stores values of a Swift type.
    static func name<Value>(of type: Value.Type) -> String {
        (type as? any ColumnReadable.Type)?.declaredType ?? any
    }

    /// The declared type of a column for several storage classes. SQLite stores values unchanged in a column without a type.
    static let any = ""

    /// The declared type of a column for several storage classes, in a `STRICT` table.
    static let strictAny = "ANY"
}
