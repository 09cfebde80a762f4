import Squall
import SquallSQLite

/// A place where a phrase of the pattern occurs in a row.
public struct SearchInstance: Hashable, Sendable {
    /// The phrase of the pattern.
    public let phrase: Int
    /// The column of the search table.
    public let column: Int
    /// The first token of the place, counted from 0 in the column.
    public let token: Int
}

extension SearchMatch {
    /// The number of phrases in the pattern: `"structured query" language` has two.
    public var phraseCount: Int { Int(api.pointee.xPhraseCount(context)) }

    /// Returns the number of tokens of a phrase.
    ///
    /// - Throws: ``SearchFunctionProblem/noSuchPart(_:index:)``.
    public borrowing func tokenCount(ofPhrase phrase: Int) throws -> Int {
        try checkPhrase(phrase)
        return Int(api.pointee.xPhraseSize(context, Int32(phrase)))
    }

    /// The number of places where a phrase of the pattern occurs in the row.
    ///
    /// - Throws: `SQLiteError`.
    public var instanceCount: Int {
        get throws {
            var count: Int32 = 0
            try check(api.pointee.xInstCount(context, &count))
            return Int(count)
        }
    }

    /// Returns a place where a phrase of the pattern occurs, in the order of the places.
    ///
    /// - Throws: `SQLiteError`.
    public borrowing func instance(_ index: Int) throws -> SearchInstance {
        guard index >= 0, index < (try instanceCount) else { throw Self.rangeError("instance", index) }
        var (phrase, column, token) = (Int32(0), Int32(0), Int32(0))
        try check(api.pointee.xInst(context, Int32(index), &phrase, &column, &token))
        return SearchInstance(phrase: Int(phrase), column: Int(column), token: Int(token))
    }

    /// Calls a closure with the places where one phrase occurs in the row, column by column. It is faster than ``instance(_:)``.
    ///
    /// - Throws: The closure's error; `SQLiteError`.
    public borrowing func forEachInstance(
        ofPhrase phrase: Int, _ body: (_ column: Int, _ token: Int) throws -> Void
    ) throws {
        try checkPhrase(phrase)
        var iterator = Fts5PhraseIter()
        var (column, token) = (Int32(-1), Int32(-1))
        // Copied first: with `detail = column`, the closure's calls of the match can write the memory that the iterator reads.
        var places: [(column: Int32, token: Int32)] = []
        try check(api.pointee.xPhraseFirst(context, Int32(phrase), &iterator, &column, &token))
        while column >= 0 {
            places.append((column, token))
            api.pointee.xPhraseNext(context, &iterator, &column, &token)
        }
        for place in places { try body(Int(place.column), Int(place.token)) }
    }

    /// Calls a closure with the columns in which a phrase occurs. With `detail = column`, it is the only way to find them.
    ///
    /// - Throws: The closure's error; `SQLiteError`.
    public borrowing func forEachColumn(ofPhrase phrase: Int, _ body: (_ column: Int) throws -> Void) throws {
        try checkPhrase(phrase)
        var iterator = Fts5PhraseIter()
        var column = Int32(-1)
        // Copied first, as the places of an instance are.
        var columns: [Int32] = []
        try check(api.pointee.xPhraseFirstColumn(context, Int32(phrase), &iterator, &column))
        while column >= 0 {
            columns.append(column)
            api.pointee.xPhraseNextColumn(context, &iterator, &column)
        }
        for column in columns { try body(Int(column)) }
    }

    /// Calls a closure with every row of the table in which a phrase of the pattern occurs.
    ///
    /// - Parameters:
    ///   - phrase: The phrase.
    ///   - body: Is called with the match of each row, and returns whether to go on.
    /// - Throws: The closure's error; `SQLiteError`.
    public borrowing func forEachRow(
        ofPhrase phrase: Int, _ body: (borrowing SearchMatch) throws -> Bool
    ) throws {
        try checkPhrase(phrase)
        try withoutActuallyEscaping(body) { body in
            var rows = RowsOfPhrase(failureCode: failureCode, callbacks: callbacks, body: body)
            let code = withUnsafeMutablePointer(to: &rows) {
                api.pointee.xQueryPhrase(context, Int32(phrase), $0) { api, context, rows in
                    guard let api, let context, let rows = rows?.assumingMemoryBound(to: RowsOfPhrase.self) else {
                        return SQLITE_MISUSE
                    }
                    return rows.pointee.visit(api, context)
                }
            }
            if let failure = rows.failure { throw failure }
            try check(code)
        }
    }
}

/// The closure that is called with the rows of a phrase.
private struct RowsOfPhrase {
    let failureCode: UnsafeMutablePointer<Int32>
    let callbacks: UnsafeMutablePointer<Callbacks>
    let body: (borrowing SearchMatch) throws -> Bool
    var failure: (any Error)?

    /// Returns the code with which FTS5 goes on, or ends.
    mutating func visit(_ api: UnsafePointer<Fts5ExtensionApi>, _ context: OpaquePointer) -> Int32 {
        do {
            // FTS5 has no function for this context: `xUserData` would use a null pointer.
            let match = SearchMatch(api: api, context: context, failureCode: failureCode, callbacks: callbacks)
            let goesOn = try body(match)
            return goesOn ? SQLITE_OK : SQLITE_DONE
        } catch {
            failure = error
            return SQLITE_DONE
        }
    }
}

extension SearchMatch {
    /// Splits a text with the tokenizer of the table.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - body: Is called with each token and its bytes in the text, after the whole text has been split.
    /// - Throws: The closure's error; `SQLiteError`.
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
