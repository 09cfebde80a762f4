/// The text of a file, with the offsets of its lines.
struct SourceText: Sendable {
    /// A statement of a file.
    struct Excerpt: Sendable {
        /// The text from the first token to the last, without the semicolon.
        let text: String
        /// The offset in the file, in bytes of UTF-8.
        let offset: Int
    }

    let path: String
    /// The text without a byte order mark.
    let text: String
    /// The offset of each line in bytes of UTF-8.
    private let lineStarts: [Int]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lineStarts = [0] + text.utf8.enumerated().lazy.filter { $0.element == UInt8(ascii: "\n") }.map { $0.offset + 1 }
    }

    /// Returns the place of an offset in bytes of UTF-8.
    func location(at offset: Int) -> SourceLocation {
        // The last line that does not begin after the offset.
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourceLocation(file: path, line: low + 1, column: offset - lineStarts[low] + 1)
    }
}
