import Squall
import SquallSQLite

extension SearchMatch {
    /// Splits a text with the tokenizer of the table.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - body: Is called with each token and its bytes in the text, after the whole text has been split.
    /// - Throws: The closure's error; ``SQLiteError``.
    public borrowing func tokenize(
        _ text: Span<UInt8>,
        _ body: (_ token: Span<UInt8>, _ range: Range<Int>, _ placement: TokenPlacement) throws -> Void
    ) throws {
        var tokens = CopiedTokens()
        let code = text.withUnsafeBufferPointer { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            return withUnsafeMutablePointer(to: &tokens) {
                api.pointee.xTokenize(context, start, Int32(clamping: bytes.count), $0) {
                    tokens, flags, token, count, start, end in
                    guard let tokens = tokens?.assumingMemoryBound(to: CopiedTokens.self) else {
                        return SQLITE_MISUSE
                    }
                    tokens.pointee.add(flags, token, count, start, end)
                    return SQLITE_OK
                }
            }
        }
        try check(code)
        try tokens.forEach(body)
    }
}

/// The copied tokens of a text. FTS5's tokenizers have one buffer for each table, which the closure would overwrite or free if it ran
/// the tokenizer again.
private struct CopiedTokens {
    private var bytes: [UInt8] = []
    private var tokens: [(end: Int, range: Range<Int>, placement: TokenPlacement)] = []

    mutating func add(
        _ flags: Int32, _ token: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32, _ end: Int32
    ) {
        bytes += UnsafeRawBufferPointer(start: token, count: token == nil ? 0 : Int(count))
        let range = Int(start)..<Int(Swift.max(start, end))
        tokens.append((bytes.count, range, flags & FTS5_TOKEN_COLOCATED == 0 ? .next : .colocated))
    }

    func forEach(_ body: (Span<UInt8>, Range<Int>, TokenPlacement) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            for token in tokens {
                try body(UnsafeBufferPointer(rebasing: bytes[start..<token.end]).span, token.range, token.placement)
                start = token.end
            }
        }
    }
}
