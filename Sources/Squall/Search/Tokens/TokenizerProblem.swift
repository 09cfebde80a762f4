/// A token that FTS5 cannot take from a tokenizer.
public enum TokenizerProblem: SQLiteProblem {
    /// Thrown when a tokenizer emits a token for a range that is not in the text, splits a character, or begins before the
    /// previous one.
    case range(Range<Int>, byteCount: Int)
    /// Thrown when a tokenizer emits a token without bytes.
    case emptyToken
}

extension TokenizerProblem {
    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .range(let range, let count):
            "a tokenizer emitted the range \(range.lowerBound)..<\(range.upperBound), which is not a range of whole characters of "
                + "the \(count) bytes, or begins before the previous one"
        case .emptyToken: "a tokenizer emitted a token without bytes"
        }
    }
}
