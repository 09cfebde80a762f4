import CSQLite

/// SQL text on its way through the compiler, statement by statement.
struct Script {
    private let text: String
    private var bytes: ContiguousArray<CChar>
    /// Where the next statement begins, in bytes.
    private(set) var position = 0

    init(_ text: String) {
        self.text = text
        self.bytes = ContiguousArray(text.utf8CString)
    }

    /// Prepares the next statement, or returns `nil` at the end.
    ///
    /// - Throws: ``SQLiteError`` with the offset in the whole text.
    mutating func prepareNext(on database: OpaquePointer, flags: UInt32 = 0) throws -> OpaquePointer? {
        while position < bytes.count - 1 {
            if bytes[position] == 0 {
                // SQLite takes a NUL for the end and would leave the rest out silently.
                throw SQLiteError(
                    code: SQLITE_ERROR, message: "the SQL has a NUL character", sql: text, offset: position
                )
            }
            var statement: OpaquePointer?
            let start = position
            let length = bytes.count - start
            let code = bytes.withUnsafeBufferPointer { buffer in
                guard let begin = buffer.baseAddress.map({ $0 + start }) else { return SQLITE_NOMEM }
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(database, begin, Int32(clamping: length), flags, &statement, &tail)
                if code == SQLITE_OK, let tail { position += tail - begin }
                return code
            }
            guard code == SQLITE_OK else { throw SQLiteError(code, on: database, sql: text, skipped: start) }
            if let statement { return statement }
        }
        return nil
    }

    /// The first byte after a position that is neither space nor a semicolon.
    func startOfStatement(after position: Int) -> Int {
        let blank = " \t\r\n;".utf8
        return text.utf8.count - text.utf8.dropFirst(position).drop { blank.contains($0) }.count
    }
}
