extension FunctionCall {
    /// Whether a function of dates certainly returns a value: it is asked for the current time, and each modifier is a literal that
    /// SQLite documents. For anything else it can be NULL.
    var isCertainTime: Bool {
        var arguments = arguments[...]
        if name == "strftime" {
            guard case .text(let format)? = arguments.popFirst(), Self.isFormat(format) else { return false }
            if arguments.isEmpty { return false }
        }
        guard let first = arguments.popFirst() else { return true }
        guard case .text("now") = first else { return false }
        return arguments.allSatisfy { argument in
            if case .text(let modifier) = argument { Self.isModifier(modifier) } else { false }
        }
    }

    /// Whether all conversions of a format are of those that every version of SQLite has.
    private static func isFormat(_ format: String) -> Bool {
        guard !format.isEmpty else { return false }
        var isConversion = false
        for byte in format.utf8 {
            if isConversion, !"dfHjJmMsSwWY%".utf8.contains(byte) { return false }
            isConversion = byte == UInt8(ascii: "%") && !isConversion
        }
        return !isConversion
    }

    private static func isModifier(_ modifier: String) -> Bool {
        if ["localtime", "utc", "start of day", "start of month", "start of year"].contains(modifier) { return true }
        let words = modifier.split(separator: " ")
        guard words.count == 2 else { return false }
        let units = ["second", "minute", "hour", "day", "month", "year"]
        let number = words[0].first == "+" || words[0].first == "-" ? words[0].dropFirst() : words[0]
        // Within four digits, the year remains one that SQLite can write.
        return units.contains { words[1] == $0 || words[1] == "\($0)s" } && (1...3).contains(number.utf8.count)
            && number.utf8.allSatisfy(\.isDigit)
    }
}
