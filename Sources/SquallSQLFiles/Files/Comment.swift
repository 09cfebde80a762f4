/// A `--` comment.
struct Comment: Hashable, Sendable {
    /// The text after `--`, without white space at its ends.
    let text: String
    /// The offset of the text in the file, in bytes of UTF-8.
    let offset: Int
    /// Whether the line has no part of a statement before the comment.
    let isOnOwnLine: Bool
    /// The number of bytes of white space between `--` and the text.
    let indentation: Int

    /// - Parameter range: The place of the comment from its `--` to the end of its line.
    init(_ bytes: [UInt8], _ range: Range<Int>, isOnOwnLine: Bool) {
        var inner = range.dropFirst(2)
        while let last = inner.last, Self.isBlank(bytes[last]) { inner.removeLast() }
        let start = inner.startIndex
        while let first = inner.first, Self.isBlank(bytes[first]) { inner.removeFirst() }
        text = String(decoding: bytes[inner], as: UTF8.self)
        offset = inner.startIndex
        indentation = inner.startIndex - start
        self.isOnOwnLine = isOnOwnLine
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [9, 12, 13, 32].contains(byte) }

    /// The comment as a line of documentation. A line of dashes and similar signs is empty.
    var documentation: String {
        if text.utf8.allSatisfy({ Self.rules.contains($0) }) { return "" }
        return String(repeating: " ", count: max(0, indentation - 1)) + text
    }

    /// The signs of lines that separate sections.
    private static let rules = Set("-=*#~_+ ".utf8)
}
