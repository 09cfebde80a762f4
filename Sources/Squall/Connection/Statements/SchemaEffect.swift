/// A change that a statement makes to the meaning of names.
enum SchemaEffect {
    /// A change of a table, a view, an index or a trigger.
    case schema
    /// A change of the list of databases.
    case databases
    /// A rollback, after which SQLite reads a schema again that the transaction has changed.
    case rollback

    /// Returns the effect of a statement by its first word; `nil` for another statement.
    init?(of verb: StatementVerb?) {
        switch verb {
        case .create, .alter, .drop: self = .schema
        case .attach, .detach: self = .databases
        case .rollback: self = .rollback
        default: return nil
        }
    }
}
