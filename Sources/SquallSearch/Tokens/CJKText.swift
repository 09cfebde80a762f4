import Squall

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
