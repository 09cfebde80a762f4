/// The name of a table, column, index or another part of a schema. Names are compared as SQLite compares them: ASCII
/// letters ignore case, everything else is compared byte by byte.
///
/// `String` compares by Unicode: `lowercased()` makes "É" and "é" one name, and `==` treats the two encodings of "é" as
/// equal. SQLite treats them as different columns. Every comparison and every lookup of a name therefore uses this
/// type.
public struct Identifier: Hashable, Sendable {
    /// The name as it was written.
    public let spelling: String

    @inlinable
    public init(_ spelling: some StringProtocol) {
        self.spelling = String(spelling)
    }

    @inlinable
    public static func == (left: Identifier, right: Identifier) -> Bool {
        left.spelling.utf8.elementsEqual(right.spelling.utf8) { $0.asciiFolded == $1.asciiFolded }
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        // Eight bytes at a time: the hasher takes as long for one.
        var (word, count) = (UInt64(0), 0)
        for byte in spelling.utf8 {
            word = word << 8 | UInt64(byte.asciiFolded)
            count += 1
            if count.isMultiple(of: 8) { hasher.combine(word) }
        }
        hasher.combine(word)
        // Without the number, ("ab", "c") and ("a", "bc") would have the same hash.
        hasher.combine(count)
    }
}

extension Identifier: Comparable {
    /// Orders names by their bytes, with ASCII letters in lower case.
    @inlinable
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.spelling.utf8.lexicographicallyPrecedes(right.spelling.utf8) { $0.asciiFolded < $1.asciiFolded }
    }
}

extension Identifier: ExpressibleByStringLiteral {
    @inlinable
    public init(stringLiteral spelling: String) {
        self.init(spelling)
    }
}

extension Identifier: CustomStringConvertible {
    /// The name as it was written, without quotes.
    public var description: String { spelling }
}

// Not public: a program that imports only Squall would see members of the standard types.

extension StringProtocol {
    /// Whether SQLite treats both as the same name; see ``Identifier``.
    @inlinable
    package func isSameName(as other: some StringProtocol) -> Bool {
        Identifier(self) == Identifier(other)
    }
}

extension String {
    /// The text as the collation `NOCASE` compares it: with ASCII capital letters in lower case.
    package var asciiFolded: String { String(decoding: utf8.map(\.asciiFolded), as: UTF8.self) }

    /// The text with ASCII letters in upper case. SQLite folds no others.
    package var asciiUppercased: String {
        String(decoding: utf8.map { (97...122).contains($0) ? $0 & 0xdf : $0 }, as: UTF8.self)
    }
}
