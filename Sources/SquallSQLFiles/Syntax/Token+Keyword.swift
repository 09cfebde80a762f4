import Squall

extension Token {
    /// The word in upper case; otherwise the token as it is written. It is compared with keywords and signs.
    var keyword: String { kind == .word ? source.asciiUppercased : source }
}
