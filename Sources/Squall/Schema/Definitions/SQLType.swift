/// The types of SQL for the types of Swift.
enum SQLType {
    /// The type that a column for values of a Swift type is declared with.
    static func name<Value>(of type: Value.Type) -> String {
        (type as? any ColumnReadable.Type)?.declaredType ?? any
    }

    /// The type of columns for values of several storage classes: without one, SQLite stores them as they are.
    static let any = ""

    /// The same in a `STRICT` table.
    static let strictAny = "ANY"
}
