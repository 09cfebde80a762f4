import Foundation

/// A number in a text.
enum Number: Equatable {
    case integer(Int64)
    case real(Double)
    /// `Inf` or `-Inf`, as the tool writes infinity.
    case infinity(Double)
}

extension Number {
    /// Reads a number from text that does not lose anything by becoming one.
    ///
    /// That is a whole number of 64 bits without leading zeros, a plain decimal number (`1.50`, `.5`) with at most 15 digits
    /// before its point and 17 significant digits, and any other text that the tool would write for the number (`1e+16`,
    /// `Inf`). Other texts, such as `007`, `+1` and `1e3`, may be names or codes.
    init?(plain bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { index = 1 }
        let firstDigit = index
        var digits: UInt64 = 0
        while index < bytes.count, let digit = Self.digit(bytes[index]), index - firstDigit < 19 {
            digits = digits * 10 + digit
            index += 1
        }
        let wholeCount = index - firstDigit
        if wholeCount > 1, bytes[firstDigit] == UInt8(ascii: "0") { return nil }
        if index == bytes.count {
            guard wholeCount > 0 else { return nil }
            guard digits <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { return nil }
            self = .integer(isNegative ? Int64(truncatingIfNeeded: 0 &- digits) : Int64(digits))
            return
        }
        guard bytes[index] == UInt8(ascii: "."), wholeCount <= 15 else {
            self.init(canonical: bytes)
            return
        }
        index += 1
        let firstDecimal = index
        var significant = wholeCount
        while index < bytes.count, let digit = Self.digit(bytes[index]) {
            if significant < 18 { digits = digits * 10 + digit }
            significant += 1
            index += 1
        }
        guard index == bytes.count, index > firstDecimal else {
            self.init(canonical: bytes)
            return
        }
        // Up to 2⁵³ and 10²² both operands are exact, and so the division rounds as it must.
        if significant <= 15 {
            let value = Double(digits) / Self.powers[index - firstDecimal]
            self = .real(isNegative ? -value : value)
        } else if !Self.losesDigits(bytes), let value = Double(String(decoding: bytes, as: UTF8.self)) {
            self = .real(value)
        } else {
            return nil
        }
    }

    /// Returns whether a decimal number has more than 17 significant digits, which no `Double` keeps. Zeros before the first
    /// other digit and after the last one are not significant.
    static func losesDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var significant = 0
        // The zeros since the last other digit.
        var zeros = 0
        for byte in bytes {
            // The exponent follows.
            if byte | 0x20 == UInt8(ascii: "e") { break }
            guard let digit = Self.digit(byte) else { continue }
            if digit == 0 {
                zeros += significant > 0 ? 1 : 0
            } else {
                significant += zeros + 1
                zeros = 0
            }
        }
        return significant > 17
    }

    /// Reads a number that would be written back as the same text.
    private init?(canonical bytes: UnsafeBufferPointer<UInt8>) {
        // The longest notation of a `Double` has 24 characters: -2.2250738585072014e-308.
        guard bytes.count <= 24 else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "Inf": self = .infinity(.infinity)
        case "-Inf": self = .infinity(-.infinity)
        default:
            guard let value = Double(text), value.isFinite, value.description == text else { return nil }
            self = .real(value)
        }
    }

    /// Reads a number in any decimal notation, for a column whose type requires one: `007`, `+1`, ` 1e3 `.
    init?(lenient bytes: UnsafeBufferPointer<UInt8>) {
        if let number = Number(plain: bytes) {
            self = number
            return
        }
        let space = UInt8(ascii: " ")
        guard let first = bytes.firstIndex(where: { $0 != space }), let last = bytes.lastIndex(where: { $0 != space })
        else { return nil }
        let trimmed = UnsafeBufferPointer(rebasing: bytes[first...last])
        // Not what else `Double` reads: `nan`, `0x10`.
        guard trimmed.allSatisfy({ Self.digit($0) != nil || "+-.eE".utf8.contains($0) }) else { return nil }
        self.init(decimal: trimmed)
    }

    /// Reads a JSON number. `nil` for a number that neither 64 bits nor a `Double` can hold with all its digits.
    init?(json bytes: UnsafeBufferPointer<UInt8>) {
        if let number = Number(plain: bytes) {
            self = number
            return
        }
        self.init(decimal: bytes)
        guard case .real = self else { return }
        let isWhole = bytes.allSatisfy { Self.digit($0) != nil || $0 == UInt8(ascii: "-") }
        if isWhole || Self.losesDigits(bytes) { return nil }
    }

    private init?(decimal bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let value = Int64(text) {
            self = .integer(value)
        } else if let value = Double(text), value.isFinite {
            self = .real(value)
        } else {
            return nil
        }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? UInt64(value) : nil
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Whether a `Double` has the value of an integer exactly.
    static func isExact(_ value: Int64) -> Bool { value.magnitude <= 1 << 53 }
}
