import Squall

/// The rules of names in Swift.
enum SwiftIdentifier {
    /// Returns whether a text can be the name of a function: letters of any script, digits, emoji and `_`, and no digit
    /// at its start.
    static func isFunction(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, isHead(first), text != "_" else { return false }
        return text.unicodeScalars.allSatisfy(isPart)
    }

    /// Returns whether a text can be the name of a type. It begins with a capital letter, or with a letter without case.
    static func isType(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first?.properties, isFunction(text) else { return false }
        return first.isAlphabetic && !first.isLowercase
    }

    /// Returns whether an identifier can contain a character.
    static func isPart(_ character: Character) -> Bool { character.unicodeScalars.allSatisfy(isPart) }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(scalar.value).isOfWord && scalar != "$" }
        return isHead(scalar) || marks.contains { $0.contains(scalar.value) }
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
        // The planes up to 14 without their last two scalars. Emoji and rare scripts are in them.
        if value >= 0x1_0000 { return value < 0xF_0000 && value & 0xffff < 0xfffe }
        return heads.contains { $0.contains(value) }
    }

    /// The combining marks, which cannot begin an identifier.
    private static let marks: [ClosedRange<UInt32>] = [
        0x0300...0x036f, 0x1dc0...0x1dff, 0x20d0...0x20ff, 0xfe20...0xfe2f,
    ]

    /// The `identifier-head` of Swift's grammar in the basic plane.
    private static let heads: [ClosedRange<UInt32>] = [
        0x00a8...0x00a8, 0x00aa...0x00aa, 0x00ad...0x00ad, 0x00af...0x00af, 0x00b2...0x00b5, 0x00b7...0x00ba,
        0x00bc...0x00be, 0x00c0...0x00d6, 0x00d8...0x00f6, 0x00f8...0x02ff, 0x0370...0x167f, 0x1681...0x180d,
        0x180f...0x1dbf, 0x1e00...0x1fff, 0x200b...0x200d, 0x202a...0x202e, 0x203f...0x2040, 0x2054...0x2054,
        0x2060...0x20cf, 0x2100...0x218f, 0x2460...0x24ff, 0x2776...0x2793, 0x2c00...0x2dff, 0x2e80...0x2fff,
        0x3004...0x3007, 0x3021...0x302f, 0x3031...0xd7ff, 0xf900...0xfd3d, 0xfd40...0xfdcf, 0xfdf0...0xfe1f,
        0xfe30...0xfe44, 0xfe47...0xfffd,
    ]
}
