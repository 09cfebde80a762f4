import Squall
import SquallSQLite

extension Connection {
    /// Splits the bytes of a text in UTF-8 into tokens.
    public typealias Tokenizer =
        (_ text: Span<UInt8>, _ reason: TokenizationReason, _ emit: borrowing TokenEmitter) throws -> Void

    /// Adds a tokenizer to FTS5, for tables with `tokenize = 'code'`.
    ///
    ///     try connection.addTokenizer("code") { text, reason, emit in
    ///         var start = 0
    ///         for index in 0...text.count {
    ///             let isEnd = index == text.count || text[index] == UInt8(ascii: "_")
    ///             if !isEnd { continue }
    ///             if start < index { try emit(start..<index) }
    ///             start = index + 1
    ///         }
    ///     }
    ///     try connection.execute(
    ///         "CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'code')")
    ///
    /// The bytes are those that SQLite has, in UTF-8 whatever the encoding of the database: they may include NUL, and need not be
    /// valid. Ranges are checked, see ``TokenEmitter``. If the closure throws, the statement throws that error.
    ///
    /// The closure cannot use the connection, whose methods throw until it returns. It is kept until the connection is closed, also
    /// when another tokenizer gets its name. Every connection that uses the table needs the tokenizer.
    ///
    /// - Throws: `SQLiteError`: `libraryLacks` if SQLite was built without FTS5; `SQLITE_BUSY` (5)
    ///   inside a function or a collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func addTokenizer(_ name: String, _ tokenize: @escaping Tokenizer) throws {
        try addTokenizer(name, makingWith: { _ in tokenize })
    }

    /// Adds a tokenizer to FTS5 that is made for each table, from the arguments in `CREATE VIRTUAL TABLE`.
    ///
    ///     try connection.addTokenizer("split", makingWith: { arguments in
    ///         let separator = UInt8(ascii: arguments.first == "dot" ? "." : "_")
    ///         return { text, reason, emit in … }
    ///     })
    ///     try connection.execute(
    ///         "CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'split dot')")
    ///
    /// - Parameters:
    ///   - name: The name of the tokenizer.
    ///   - make: Returns the tokenizer of a table, or throws for arguments that it refuses.
    /// - Throws: `SQLiteError`, as for a tokenizer without arguments.
    public func addTokenizer(
        _ name: String, makingWith make: @escaping (_ arguments: [String]) throws -> Tokenizer
    ) throws {
        let box: TokenizerBox.Make = { arguments in
            let tokenize = try make(arguments)
            return { emission, reason in
                let text = emission.pointee.text
                try tokenize(text.span, reason, TokenEmitter(emission: emission))
            }
        }
        try installTokenizer(name, box)
    }

    /// Adds a tokenizer of validated text to FTS5.
    ///
    ///     try connection.addTokenizer("characters") { (text: UTF8Span, reason, emit) in
    ///         var characters = text.makeCharacterIterator()
    ///         var start = 0
    ///         while let character = characters.next() {
    ///             try emit(String(character), start..<characters.currentCodeUnitOffset)
    ///             start = characters.currentCodeUnitOffset
    ///         }
    ///     }
    ///
    /// The type of the first parameter selects this form. Of a text that is not valid UTF-8, the closure receives the valid parts one
    /// after another, with ranges of that part.
    ///
    /// - Throws: `SQLiteError`, as for a tokenizer of bytes.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @_disfavoredOverload
    public func addTokenizer(
        _ name: String,
        _ tokenize: @escaping (UTF8Span, TokenizationReason, borrowing TokenEmitter) throws -> Void
    ) throws {
        let box: TokenizerBox.Make = { _ in
            { emission, reason in
                try emission.pointee.forEachValidPart(of: emission) {
                    try tokenize($0, reason, TokenEmitter(emission: emission))
                }
            }
        }
        try installTokenizer(name, box)
    }
}

extension Emission {
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    fileprivate func forEachValidPart(
        of emission: UnsafeMutablePointer<Emission>, _ body: (UTF8Span) throws -> Void
    ) throws {
        let whole = text
        var offset = 0
        while offset < whole.count {
            var part = UnsafeBufferPointer(rebasing: whole[offset...])
            var next = whole.count
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: part.span)
            } catch {
                part = UnsafeBufferPointer(rebasing: part[..<error.byteOffsets.lowerBound])
                next = offset + error.byteOffsets.upperBound
            }
            emission.pointee.text = part
            emission.pointee.base = offset
            if !part.isEmpty, let span = try? UTF8Span(validating: part.span) { try body(span) }
            offset = next
        }
    }
}
