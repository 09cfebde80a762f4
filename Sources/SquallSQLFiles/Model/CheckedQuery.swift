import Squall

/// A query that SQLite has compiled and whose types are known.
struct CheckedQuery: Sendable {
    /// A statement in the form in which the program runs it.
    struct Statement: Sendable {
        enum Piece: Hashable, Sendable {
            case text(String)
            /// A parameter, by its index among those of the query.
            case parameter(Int)
            /// A list, which is read as a table: `squall_array(?)`.
            case list(Int)
        }

        let pieces: [Piece]
        let isReadOnly: Bool
    }

    let declaration: QueryDeclaration
    let statements: [Statement]
    /// The parameters of all statements, in the order of their first use.
    let parameters: [QueryParameter]
    let result: QueryResultShape
    /// Whether all statements only read.
    let isReadOnly: Bool
    /// The columns that the statements use, directly and through views, by table.
    let uses: [TableUse]
}

/// A parameter of a query.
struct QueryParameter: Hashable, Sendable {
    /// The name without its prefix.
    let name: String
    let type: ValueType
    let isOptional: Bool
    /// Whether the parameter is a list: `IN (:ids...)`.
    let isList: Bool
}

/// The result of a query.
enum QueryResultShape: Sendable {
    case nothing
    /// The number of rows that were inserted, updated or deleted.
    case changes
    case values(Cardinality, ResultColumn)
    case records(Cardinality, RecordShape)
}

/// A column of a result.
struct ResultColumn: Hashable, Sendable {
    /// The name of the property before it is made a Swift name: of `owner.name`, `name`.
    let name: String
    let index: Int
    let type: ValueType
    let isOptional: Bool
}

/// A row as a Swift type.
struct RecordShape: Hashable, Sendable {
    /// A property of a row.
    enum Field: Hashable, Sendable {
        case column(ResultColumn)
        /// The columns whose names have a prefix in common: `"owner.id"`, `"owner.name"`. The record is `nil` where the column
        /// `presence` is NULL; without one, it is never `nil`.
        case record(name: String, columns: [ResultColumn], presence: Int?)
    }

    /// The name that the file gives; `nil` for the name of the query.
    let name: String?
    let fields: [Field]
}

/// The columns of a table on which queries depend.
struct TableUse: Hashable, Sendable {
    let table: Identifier
    let columns: [Identifier]
}
