/// Text of Swift, in lines of at most 120 columns where that is possible.
enum SwiftText {
    static let indentation = "    "
    private static let columns = 120

    /// Returns lines for a list in parentheses: on one line, with all items on the next line, or with each on one.
    ///
    /// - Parameters:
    ///   - head: The text before the parenthesis, with its indentation.
    ///   - tail: The text after the parenthesis.
    static func list(_ head: String, _ items: [String], _ tail: String) -> [String] {
        let joined = items.joined(separator: ", ")
        let line = "\(head)(\(joined))\(tail)"
        if line.count <= columns || items.isEmpty { return [line] }
        let margin = String(head.prefix { $0 == " " })
        let inner = margin + indentation
        let isShort = inner.count + joined.count <= columns
        let body = isShort ? [inner + joined] : items.map { "\(inner)\($0)," }.droppingLastComma
        return ["\(head)("] + body + ["\(margin))\(tail)"]
    }

    /// Returns lines of documentation, each with the text of one line.
    ///
    /// - Parameter wraps: Whether longer lines are wrapped, as those of a list.
    static func documentation(_ lines: [String], indentation: String = "", wraps: Bool = false) -> [String] {
        let lines = wraps ? lines.flatMap { wrapped($0, at: columns - indentation.count - 4) } : lines
        return lines.map { line in
            let text = line.forComment
            return text.isEmpty ? "\(indentation)///" : "\(indentation)/// \(text)"
        }
    }

    /// Returns the words of a text in lines. Those after the first are indented as the text of a list.
    private static func wrapped(_ text: String, at width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(lines.isEmpty ? String(word) : "  \(word)")
            }
        }
        return lines
    }
}

extension [String] {
    /// The lines, the last without its comma.
    fileprivate var droppingLastComma: [String] {
        guard let last else { return self }
        return dropLast() + [String(last.dropLast())]
    }
}
