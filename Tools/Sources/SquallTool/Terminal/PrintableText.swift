extension String {
    /// The text with characters escaped that would move the cursor, end the line, change the colour or reverse the direction
    /// of the text: `\n`, `\t`, `\u{1B}`.
    var printable: String {
        guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text += scalar.isPrintable ? String(scalar) : scalar.escaped
        }
        return text
    }

    /// The text as ``printable``, with its lines and tabs.
    var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).printable }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }

    fileprivate var escaped: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(value, radix: 16, uppercase: true))}"
        }
    }
}
