/// A number in decimal notation. Notations such as `-12.50` and `-1.25e1` of the same number are equal.
struct DecimalNotation: Equatable {
    private var isNegative = false
    /// The digits from the first to the last that is not 0.
    private var digits: [UInt8] = []
    /// The power of ten of the last digit.
    private var exponent = 0

    /// Reads a text that is wholly a number.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = rest.prefix(while: Self.isDigit)
        rest.removeFirst(whole.count)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix(while: Self.isDigit)
            guard !fraction.isEmpty else { return nil }
            rest.removeFirst(fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        if let mark = rest.popFirst() {
            guard mark | 0x20 == UInt8(ascii: "e"), let power = Self.power(rest) else { return nil }
            exponent = power
        }
        digits = Array(whole) + fraction
        exponent -= fraction.count
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func power(_ text: Substring.UTF8View) -> Int? {
        // Longer powers exceed every type, and could overflow.
        guard text.count <= 6, text.last.map(isDigit) == true else { return nil }
        return Int(Substring(text))
    }
}
