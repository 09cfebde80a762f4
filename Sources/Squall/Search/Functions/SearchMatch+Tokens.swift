import SquallSQLite

extension SearchMatch {
    /// Splits a text with the tokenizer of the table.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - body: Is called with each token and its bytes in the text.
    /// - Throws: The closure's error; ``SQLiteError``.
    public borrowing func tokenize(
        _ text: Span<UInt8>,
        _ body: (_ token: Span<UInt8>, _ range: Range<Int>, _ placement: TokenPlacement) throws -> Void
    ) throws {
        try withoutActuallyEscaping(body) { body in
            var tokens = ReceivedTokens(body: body)
            let code = text.withUnsafeBufferPointer { bytes in
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                return withUnsafeMutablePointer(to: &tokens) {
                    api.pointee.xTokenize(context, start, Int32(clamping: bytes.count), $0) {
                        tokens, flags, token, count, start, end in
                        guard let tokens = tokens?.assumingMemoryBound(to: ReceivedTokens.self) else {
                            return SQLITE_MISUSE
                        }
                        return tokens.pointee.receive(flags, token, count, start, end)
                    }
                }
            }
            if let failure = tokens.failure { throw failure }
            try check(code)
        }
    }
}

/// The closure that is called with the tokens of a text.
private struct ReceivedTokens {
    let body: (Span<UInt8>, Range<Int>, TokenPlacement) throws -> Void
    var failure: (any Error)?

    mutating func receive(
        _ flags: Int32, _ token: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32, _ end: Int32
    ) -> Int32 {
        let bytes = UnsafeRawBufferPointer(start: token, count: Int(count)).assumingMemoryBound(to: UInt8.self)
        do {
            let range = Int(start)..<Int(Swift.max(start, end))
            try body(bytes.span, range, flags & FTS5_TOKEN_COLOCATED == 0 ? .next : .colocated)
            return SQLITE_OK
        } catch {
            failure = error
            return SQLITE_DONE
        }
    }
}
