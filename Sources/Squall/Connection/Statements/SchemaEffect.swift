/// A change that a statement makes to the meaning of names.
enum SchemaEffect {
    /// A change of a table, a view, an index or a trigger.
    case schema
    /// A change of the list of databases.
    case databases
    /// A rollback, after which SQLite reads a schema again that the transaction has changed.
    case rollback

    /// Reads the effect of a statement from its first word. Returns `nil` for another statement.
    init?(_ sql: UnsafePointer<CChar>?) {
        func begins(_ word: StaticString) -> Bool { Pragma.word(word, begins: sql) }
        if begins("create") || begins("alter") || begins("drop") {
            self = .schema
        } else if begins("attach") || begins("detach") {
            self = .databases
        } else if begins("rollback") {
            self = .rollback
        } else {
            return nil
        }
    }
}
