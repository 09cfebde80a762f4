import Squall
import SquallSQLite

/// The reason why FTS5 calls a tokenizer.
public enum TokenizationReason: Hashable, Sendable {
    /// A row is written to the index, or removed from it.
    case document
    /// The text is a phrase of a query.
    case query
    /// The text is a phrase of a query whose last token is a prefix.
    case prefixQuery
    /// An auxiliary function reads the tokens: `highlight`, `snippet`, or ``SearchMatch/tokenize(_:_:)``.
    case auxiliary

    init(flags: Int32) {
        if flags & FTS5_TOKENIZE_QUERY != 0 {
            self = flags & FTS5_TOKENIZE_PREFIX != 0 ? .prefixQuery : .query
        } else {
            self = flags & FTS5_TOKENIZE_AUX != 0 ? .auxiliary : .document
        }
    }
}

/// The position of a token after the token before it.
public enum TokenPlacement: Hashable, Sendable {
    /// At the next position.
    case next
    /// At the position of the token before it: a synonym.
    case colocated
}
