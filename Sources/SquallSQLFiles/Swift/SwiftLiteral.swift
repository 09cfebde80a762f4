/// A Swift string literal: on one line, or on several for text with line breaks.
///
/// The literal has exactly the scalars of the text. It is raw (`#"…"#`) where the text has backslashes or quotes. Control
/// characters and invisible marks are escaped.
struct SwiftLiteral {
    enum Part {
        case text(String)
        /// The argument of an interpolation: `array: ids`.
        case interpolation(String)
    }

    private let parts: [Part]
    private let isMultiline: Bool
    /// The `#` around the literal.
    private let hashes: String

    init(_ text: String) {
        self.init([.text(text)])
    }

    init(_ parts: [Part]) {
        self.parts = parts
        let scalars = parts.flatMap { part in
            if case .text(let text) = part { Array(text.unicodeScalars) } else { ["\0"] as [Unicode.Scalar] }
        }
        isMultiline = scalars.contains("\n")
        let quotes = isMultiline ? 3 : 1
        // Two quotes at the start would make a raw literal one of several lines.
        let isRaw = scalars.contains("\\") || Self.longestRun(of: "\"", in: scalars) >= quotes
        let mustEscape = !isMultiline && scalars.starts(with: ["\"", "\""])
        hashes = isRaw && !mustEscape ? String(repeating: "#", count: Self.neededHashes(scalars)) : ""
    }

    /// Returns the literal. Its lines after the first begin with the indentation.
    func source(indentation: String = "") -> String {
        var body = ""
        for part in parts {
            switch part {
            case .text(let text): for scalar in text.unicodeScalars { body += escaped(scalar) }
            case .interpolation(let argument): body += "\\\(hashes)(\(argument))"
            }
        }
        guard isMultiline else { return "\(hashes)\"\(body)\"\(hashes)" }
        let lines = body.lines.map { $0.isEmpty ? "" : indentation + $0 }
        let end = "\(indentation)\"\"\"\(hashes)"
        return "\(hashes)\"\"\"\n" + lines.joined(separator: "\n") + "\n" + end
    }

    private func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n" where isMultiline, "\t", "\u{200D}": return String(scalar)
        case "\n": return "\\\(hashes)n"
        case "\r": return "\\\(hashes)r"
        case "\\" where hashes.isEmpty, "\"" where hashes.isEmpty && !isMultiline: return "\\\(scalar)"
        case "\"" where hashes.isEmpty: return "\""
        default: break
        }
        return scalar.isInvisible ? "\\\(hashes)u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }

    /// Returns the number of `#` with which neither a quote nor a backslash of the text has a meaning.
    private static func neededHashes(_ scalars: [Unicode.Scalar]) -> Int {
        var (longest, run) = (0, Int?.none)
        for scalar in scalars {
            switch scalar {
            case "\"", "\\": run = 0
            case "#": run = run.map { $0 + 1 }
            default: run = nil
            }
            longest = max(longest, run ?? 0)
        }
        return longest + 1
    }

    private static func longestRun(of searched: Unicode.Scalar, in scalars: [Unicode.Scalar]) -> Int {
        var (longest, run) = (0, 0)
        for scalar in scalars {
            run = scalar == searched ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, or changes how others are shown.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The text between the line feeds. A `Character` can be a line feed with other scalars, so that `split` does not find it.
    var lines: [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    /// The text as one line of a comment.
    var forComment: String {
        var result = ""
        for scalar in unicodeScalars where scalar != "\r" {
            result.unicodeScalars.append(scalar.isInvisible && scalar != "\t" && scalar != "\u{200D}" ? " " : scalar)
        }
        return result
    }
}
