import Squall
import SquallSQLite

/// The tokenizer `cjk`: overlapping pairs of the characters in ``CJKText``, and FTS5's `unicode61` for everything else.
///
/// Each character of a run has a position, with its pair and, in a document, itself as a synonym. The last one has itself alone. A
/// token's range is one character, so that `highlight` marks what was found and no more: it repeats text between ranges that overlap.
final class CJKTokenizer {
    private let other: fts5_tokenizer
    private let instance: OpaquePointer

    private init(_ other: fts5_tokenizer, _ instance: OpaquePointer) {
        self.other = other
        self.instance = instance
    }

    deinit {
        other.xDelete?(instance)
    }

    fileprivate typealias Receiver = Emission.Receiver
    fileprivate typealias Arguments = UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// Makes the tokenizer of a table. The arguments are those of `unicode61`.
    fileprivate static func make(
        _ api: UnsafeMutablePointer<fts5_api>, _ arguments: Arguments, _ count: Int32, _ made: inout CJKTokenizer?
    ) -> Int32 {
        var context: UnsafeMutableRawPointer?
        var other = fts5_tokenizer()
        var instance: OpaquePointer?
        var code = api.pointee.xFindTokenizer?(api, "unicode61", &context, &other) ?? SQLITE_ERROR
        guard code == SQLITE_OK else { return code }
        code = other.xCreate?(context, arguments, count, &instance) ?? SQLITE_ERROR
        guard code == SQLITE_OK, let instance else { return code == SQLITE_OK ? SQLITE_ERROR : code }
        made = CJKTokenizer(other, instance)
        return SQLITE_OK
    }

    fileprivate func tokenize(_ text: UnsafeBufferPointer<UInt8>, _ flags: Int32, _ run: inout Run) -> Int32 {
        var (start, position) = (0, 0)
        while position < text.count {
            if text[position] < CJKText.leastLeadByte {
                position += 1
                continue
            }
            guard let (scalar, end) = CJKText.decode(text, at: position), CJKText.contains(scalar) else {
                position += 1
                continue
            }
            var code = emitOther(text, start..<position, flags, &run)
            if code == SQLITE_OK { code = run.emitPairs(text, from: position, firstEnd: end, &start) }
            guard code == SQLITE_OK else { return code }
            position = start
        }
        return emitOther(text, start..<text.count, flags, &run)
    }

    /// Emits the tokens of other text.
    private func emitOther(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ flags: Int32, _ run: inout Run
    ) -> Int32 {
        guard !range.isEmpty, let start = text.baseAddress else { return SQLITE_OK }
        run.offset = Int32(clamping: range.lowerBound)
        let bytes = UnsafeRawPointer(start + range.lowerBound).assumingMemoryBound(to: CChar.self)
        return withUnsafeMutablePointer(to: &run) {
            other.xTokenize?(instance, $0, flags, bytes, Int32(clamping: range.count), receive) ?? SQLITE_ERROR
        }
    }
}

/// One call of the tokenizer.
private struct Run {
    let context: UnsafeMutableRawPointer?
    let receiver: Emission.Receiver
    /// The offset of the text that `unicode61` splits.
    var offset: Int32 = 0
    let isQuery: Bool

    /// Emits a run of characters in pairs.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - first: The begin of the first character.
    ///   - firstEnd: The end of the first character.
    ///   - end: Is set to the end of the run.
    func emitPairs(_ text: UnsafeBufferPointer<UInt8>, from first: Int, firstEnd: Int, _ end: inout Int) -> Int32 {
        var last = Character(start: first, end: firstEnd, next: Self.skipSelectors(text, firstEnd))
        end = last.next
        while end < text.count, let (scalar, next) = CJKText.decode(text, at: end), CJKText.contains(scalar) {
            let character = Character(start: end, end: next, next: Self.skipSelectors(text, next))
            var code = emitPair(text, last, character)
            if code == SQLITE_OK, !isQuery { code = emit(text, last.start..<last.end, of: last, FTS5_TOKEN_COLOCATED) }
            guard code == SQLITE_OK else { return code }
            last = character
            end = character.next
        }
        return emit(text, last.start..<last.end, of: last)
    }

    /// A character, and the end of the variation selectors after it, which are not part of a token.
    private struct Character {
        let start, end, next: Int
    }

    private static func skipSelectors(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
        var position = position
        while position < text.count, let (scalar, end) = CJKText.decode(text, at: position),
            CJKText.isVariationSelector(scalar)
        {
            position = end
        }
        return position
    }

    private func emitPair(_ text: UnsafeBufferPointer<UInt8>, _ left: Character, _ right: Character) -> Int32 {
        if left.next == left.end { return emit(text, left.start..<right.end, of: left) }
        return withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { pair in
            let bytes = [text[left.start..<left.end], text[right.start..<right.end]].joined()
            var count = 0
            for byte in bytes {
                pair[count] = byte
                count += 1
            }
            return receiver(
                context, 0, pair.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count),
                Int32(clamping: left.start), Int32(clamping: left.next))
        }
    }

    /// Emits bytes of the text at the position of a character.
    private func emit(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, of character: Character, _ flags: Int32 = 0
    ) -> Int32 {
        let bytes = UnsafeRawPointer(text.baseAddress?.advanced(by: range.lowerBound))?
            .assumingMemoryBound(to: CChar.self)
        return receiver(
            context, flags, bytes, Int32(range.count), Int32(clamping: character.start),
            Int32(clamping: character.next))
    }
}

extension Connection {
    /// Adds the tokenizer `cjk` to FTS5, for text in Chinese, Japanese and Korean among others. Does nothing if it was added before.
    ///
    ///     try connection.addCJKTokenizer()
    ///     try connection.execute(
    ///         "CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = 'cjk')")
    ///
    /// Han, Hiragana, Katakana and Hangul are indexed as overlapping pairs of characters, so that words of any length are found
    /// anywhere, and as single characters. A search for one character is a prefix, which ``SearchPattern`` makes of it. All other
    /// text follows the rules of `unicode61`, whose arguments it takes: `tokenize = 'cjk remove_diacritics 2'`.
    ///
    /// Every connection that uses the table needs the tokenizer. `create` adds it to its connection for a ``SearchTableDefinition``
    /// with it; others add it in the preparation of their `Database`.
    ///
    /// - Throws: `SQLiteError`: `libraryLacks` if SQLite was built without FTS5; `SQLITE_BUSY` (5)
    ///   inside a function or a collation.
    public func addCJKTokenizer() throws {
        guard let handle else { throw closedError() }
        let api = try searchLibrary(handle)
        var found = fts5_tokenizer()
        var context: UnsafeMutableRawPointer?
        guard api.pointee.xFindTokenizer?(api, CJKTokenizer.name, &context, &found) != SQLITE_OK else { return }
        try extendSearch(CJKTokenizer.name) { api in
            var functions = fts5_tokenizer(xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: runTokenizer)
            return api.pointee.xCreateTokenizer?(api, CJKTokenizer.name, api, &functions, nil) ?? SQLITE_MISUSE
        }
    }
}

extension CJKTokenizer {
    static let name = "cjk"
}

// The C functions that FTS5 calls.

private func createTokenizer(
    _ api: UnsafeMutableRawPointer?, _ arguments: CJKTokenizer.Arguments, _ count: Int32,
    _ tokenizer: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let api else { return SQLITE_MISUSE }
    var made: CJKTokenizer?
    let code = CJKTokenizer.make(api.assumingMemoryBound(to: fts5_api.self), arguments, count, &made)
    if let made { tokenizer?.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque()) }
    return code
}

private func deleteTokenizer(_ tokenizer: OpaquePointer?) {
    if let tokenizer { Unmanaged<CJKTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).release() }
}

private func runTokenizer(
    _ tokenizer: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?,
    _ count: Int32, _ receiver: Emission.Receiver?
) -> Int32 {
    guard let tokenizer, let receiver else { return SQLITE_MISUSE }
    let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count))
    var run = Run(context: context, receiver: receiver, isQuery: flags & FTS5_TOKENIZE_QUERY != 0)
    return Unmanaged<CJKTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer))._withUnsafeGuaranteedRef {
        $0.tokenize(bytes.assumingMemoryBound(to: UInt8.self), flags, &run)
    }
}

/// Passes a token of `unicode61` on, with its range in the whole text.
private func receive(
    _ run: UnsafeMutableRawPointer?, _ flags: Int32, _ token: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32,
    _ end: Int32
) -> Int32 {
    guard let run = run?.assumingMemoryBound(to: Run.self) else { return SQLITE_MISUSE }
    let offset = run.pointee.offset
    return run.pointee.receiver(run.pointee.context, flags, token, count, start &+ offset, end &+ offset)
}

/// The characters that the tokenizer `cjk` indexes in pairs: Han, Hiragana, Katakana and Hangul.
enum CJKText {
    /// The first byte of all of them in UTF-8 is this one or greater.
    static let leastLeadByte: UInt8 = 0xe1

    @inline(__always)
    static func contains(_ scalar: UInt32) -> Bool {
        if scalar < 0x1100 { return false }
        switch scalar {
        // Han with radicals, iteration marks and numerals, and its compatibility forms.
        case 0x4e00...0x9fff, 0x3400...0x4dbf, 0x2e80...0x2fd5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303b,
            0xf900...0xfaff, 0x20000...0x2fa1f, 0x30000...0x323af:
            return true
        // Hiragana and Katakana with their marks, and not the middle dot. Half-width Katakana.
        case 0x3041...0x309f, 0x30a1...0x30fa, 0x30fc...0x30ff, 0x31f0...0x31ff, 0xff66...0xff9f, 0x1aff0...0x1b167:
            return true
        // Hangul: syllables, letters, and half-width letters.
        case 0xac00...0xd7a3, 0x1100...0x11ff, 0x3131...0x318e, 0xa960...0xa97c, 0xd7b0...0xd7fb, 0xffa0...0xffdc:
            return true
        default: return false
        }
    }

    /// Whether the scalar only selects a form of the character before it.
    @inline(__always)
    static func isVariationSelector(_ scalar: UInt32) -> Bool {
        0xfe00...0xfe0f ~= scalar || 0xe0100...0xe01ef ~= scalar
    }

    /// Decodes the scalar at a position.
    ///
    /// - Returns: The scalar and its end; `nil` where the bytes are not valid UTF-8, and for scalars of one or two bytes.
    @inline(__always)
    static func decode(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32, end: Int)? {
        let lead = text[position]
        let length = lead >= 0xf0 ? 4 : 3
        guard lead >= 0xe0, lead < 0xf8, position + length <= text.count else { return nil }
        var scalar = UInt32(lead) & (length == 4 ? 0x07 : 0x0f)
        for index in position + 1..<position + length {
            guard text[index] & 0xc0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[index] & 0x3f)
        }
        return (scalar, position + length)
    }
}
