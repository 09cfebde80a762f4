extension SQLiteError {
    /// A human-readable position in the SQL.
    public struct Location: Hashable, Sendable {
        /// The line number, from 1.
        public let line: Int

        /// The character's number in that line, from 1.
        public let column: Int

        /// The text of the line, without its line ending.
        public let text: String

        /// The part of `text` before the position.
        public var prefix: Substring { text.prefix(column - 1) }
    }

    /// The position that `offset` points to in `sql`, or `nil` when the error has no offset.
    public var location: Location? {
        guard let sql, let offset, offset >= 0, offset <= sql.utf8.count else { return nil }
        let bytes = Array(sql.utf8)
        let newline = UInt8(ascii: "\n")
        let before = bytes[..<offset]
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
        var line = String(decoding: bytes[start..<end], as: UTF8.self)
        if line.hasSuffix("\r") { line.removeLast() }
        let prefix = String(decoding: bytes[start..<offset], as: UTF8.self)
        let number = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        return Location(line: number, column: prefix.count + 1, text: line)
    }
}
