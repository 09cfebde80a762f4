extension UInt8 {
    /// The byte, with an ASCII capital letter in lower case.
    @inlinable
    package var asciiFolded: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    @inlinable
    package var isDigit: Bool { (48...57).contains(self) }

    /// Whether SQLite treats the byte as a part of a word.
    @inlinable
    package var isOfWord: Bool {
        switch self {
        case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "$"), 128...: true
        default: false
        }
    }

    @inlinable
    var isHexadecimalDigit: Bool { isDigit || (97...102).contains(self | 0x20) }

    /// Whether white space may begin with the byte.
    var beginsSpace: Bool {
        switch self {
        case 9, 10, 12, 13, 32: true
        default: false
        }
    }

    /// Whether white space may continue with the byte. A vertical tab is white space only after another.
    var isSpace: Bool { (9...13).contains(self) || self == 32 }
}
