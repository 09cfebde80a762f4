extension SQLiteError {
    /// A place in the SQL, for people.
    public struct Location: Hashable, Sendable {
        /// The number of the line, from 1.
        public let line: Int

        /// The number of the character in that line, from 1.
        public let column: Int

        /// The line itself, without its end.
        public let text: String

        /// The part of `text` before the place.
        public var prefix: Substring { text.prefix(column - 1) }
    }

    /// The line of `sql` that `offset` points into, or `nil` when the error has no place.
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
