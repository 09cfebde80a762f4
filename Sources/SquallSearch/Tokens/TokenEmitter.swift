import Squall
import SquallSQLite

/// Takes the tokens of a text from a tokenizer. It is valid only during the call that received it, which the compiler checks.
///
///     try emit("token", 3..<8)                // a token, and its bytes in the text
///     try emit("synonym", 3..<8, .colocated)  // at the same position
///     try emit(3..<8)                         // the bytes of the text themselves
///
/// A range must consist of whole characters of the text, and must not begin before the previous one: `highlight` and `snippet`
/// copy the text by these ranges. Where ranges of different positions overlap, `highlight` repeats the text that they share.
public struct TokenEmitter: ~Copyable {
    let emission: UnsafeMutablePointer<Emission>

    /// Emits a token. A NUL character in it becomes U+FFFD.
    ///
    /// - Throws: `SQLiteError` for a wrong range, ``TokenizerProblem/range(_:byteCount:)``, and for a token without bytes. A
    ///   private error when FTS5 needs no more tokens, which the tokenizer must pass on.
    public borrowing func callAsFunction(
        _ token: some StringProtocol, _ range: Range<Int>, _ placement: TokenPlacement = .next
    ) throws {
        let isDone: Void? = try token.utf8.withContiguousStorageIfAvailable {
            try emission.pointee.emit($0, range, placement)
        }
        if isDone == nil { try emission.pointee.emit(copyOf: String(token), range, placement) }
    }

    /// Emits a token of bytes.
    ///
    /// - Throws: As for a token of text.
    public borrowing func callAsFunction(
        _ token: Span<UInt8>, _ range: Range<Int>, _ placement: TokenPlacement = .next
    ) throws {
        try token.withUnsafeBufferPointer { try emission.pointee.emit($0, range, placement) }
    }

    /// Emits a part of the text as a token.
    ///
    /// - Throws: As for a token of text.
    public borrowing func callAsFunction(_ range: Range<Int>, _ placement: TokenPlacement = .next) throws {
        try emission.pointee.emit(range, placement)
    }
}

/// The state of one call of a tokenizer.
struct Emission {
    typealias Receiver =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32

    let context: UnsafeMutableRawPointer?
    let receiver: Receiver
    /// The text, or the part of it that the tokenizer has been given.
    var text: UnsafeBufferPointer<UInt8>
    /// The offset of that part.
    var base = 0
    /// The begin of the previous token.
    private var start = 0
    /// The code with which FTS5 has ended the tokens. A tokenizer that goes on emits nothing more.
    private(set) var endCode = SQLITE_OK

    init(_ context: UnsafeMutableRawPointer?, _ receiver: @escaping Receiver, _ text: UnsafeBufferPointer<UInt8>) {
        self.context = context
        self.receiver = receiver
        self.text = text
    }

    /// Thrown through the tokenizer when FTS5 needs no more tokens.
    struct Ended: Error {}

    mutating func emit(_ token: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ placement: TokenPlacement) throws {
        guard isValid(range) else { throw rangeError(range) }
        guard !token.isEmpty else { throw SQLiteError(TokenizerProblem.emptyToken) }
        guard endCode == SQLITE_OK else { throw Ended() }
        if let first = token.baseAddress, memchr(first, 0, token.count) != nil {
            return try emit(replacingNULsOf: token, range, placement)
        }
        start = base + range.lowerBound
        let flags = placement == .colocated ? FTS5_TOKEN_COLOCATED : 0
        endCode = token.withMemoryRebound(to: CChar.self) {
            receiver(
                context, flags, $0.baseAddress, Int32(clamping: $0.count), Int32(clamping: start),
                Int32(clamping: base + range.upperBound))
        }
        if endCode != SQLITE_OK { throw Ended() }
    }

    mutating func emit(_ range: Range<Int>, _ placement: TokenPlacement) throws {
        guard isValid(range) else { throw rangeError(range) }
        try emit(UnsafeBufferPointer(rebasing: text[range]), range, placement)
    }

    @inline(never)
    mutating func emit(copyOf token: String, _ range: Range<Int>, _ placement: TokenPlacement) throws {
        var token = token
        token.makeContiguousUTF8()
        try token.withUTF8 { try emit($0, range, placement) }
    }

    /// FTS5 ends a token at a NUL character when it writes the index, and not when it removes the token.
    @inline(never)
    private mutating func emit(
        replacingNULsOf token: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ placement: TokenPlacement
    ) throws {
        var bytes: [UInt8] = []
        for byte in token { bytes += byte == 0 ? [0xef, 0xbf, 0xbd] : [byte] }
        try bytes.withUnsafeBufferPointer { try emit($0, range, placement) }
    }

    private func isValid(_ range: Range<Int>) -> Bool {
        range.lowerBound >= 0 && range.upperBound <= text.count && base + range.lowerBound >= start
            && isBoundary(range.lowerBound) && isBoundary(range.upperBound)
    }

    /// Whether no character continues at an offset.
    private func isBoundary(_ offset: Int) -> Bool { offset == text.count || text[offset] & 0xc0 != 0x80 }

    @inline(never)
    private func rangeError(_ range: Range<Int>) -> SQLiteError {
        SQLiteError(TokenizerProblem.range(range, byteCount: text.count))
    }
}

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
