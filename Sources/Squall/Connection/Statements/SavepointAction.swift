/// An action of a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO` statement.
enum SavepointAction: Equatable {
    case begin(Identifier)
    case release(Identifier)
    case rollBack(Identifier)

    /// Whether SQL may be such a statement, by its first word.
    static func mayBe(_ sql: UnsafePointer<CChar>?) -> Bool {
        Pragma.word("savepoint", begins: sql) || Pragma.word("release", begins: sql)
            || Pragma.word("rollback", begins: sql)
    }

    /// Reads the action of a statement. Returns `nil` for another statement, such as `ROLLBACK` without a savepoint.
    init?(_ sql: UnsafePointer<CChar>?) {
        guard var position = sql else { return nil }
        var words: [Identifier] = []
        while words.count < 5, let word = Self.word(&position) { words.append(word) }
        guard let verb = words.first else { return nil }
        switch verb {
        case "savepoint" where words.count > 1: self = .begin(words[1])
        case "release" where words.count > 1:
            self = .release(words.count > 2 && words[1] == "savepoint" ? words[2] : words[1])
        case "rollback":
            var rest = words.dropFirst()
            if rest.first == "transaction" { rest = rest.dropFirst() }
            guard rest.popFirst() == "to" else { return nil }
            if rest.count > 1, rest.first == "savepoint" { rest = rest.dropFirst() }
            guard let name = rest.first else { return nil }
            self = .rollBack(name)
        default: return nil
        }
    }

    /// Returns the next word or quoted name; `nil` at the end of the statement.
    private static func word(_ position: inout UnsafePointer<CChar>) -> Identifier? {
        // A semicolon counts as a blank: the SQL is a single statement.
        Pragma.skipBlanks(&position)
        var bytes: [UInt8] = []
        let first = UInt8(bitPattern: position.pointee)
        let closing: [UInt8: UInt8] = [0x22: 0x22, 0x27: 0x27, 0x60: 0x60, 0x5b: 0x5d]
        guard let end = closing[first] else {
            while true {
                let byte = UInt8(bitPattern: position.pointee)
                switch byte {
                case 0x00, 0x20, 0x09, 0x0a, 0x0c, 0x0d, 0x3b, 0x22, 0x27, 0x60, 0x5b, 0x2d, 0x2f:
                    return bytes.isEmpty ? nil : Identifier(String(decoding: bytes, as: UTF8.self))
                default: bytes.append(byte)
                }
                position += 1
            }
        }
        position += 1
        while position.pointee != 0 {
            let byte = UInt8(bitPattern: position.pointee)
            position += 1
            guard byte == end else {
                bytes.append(byte)
                continue
            }
            // A quote inside a name is doubled.
            guard UInt8(bitPattern: position.pointee) == end, end != 0x5d else { break }
            bytes.append(end)
            position += 1
        }
        return Identifier(String(decoding: bytes, as: UTF8.self))
    }
}

/// Follows the transactions of a connection.
protocol TransactionListener: AnyObject {
    /// A statement that begins, releases or rolls back to a savepoint has run.
    func didRun(_ action: SavepointAction)

    /// A statement or a commit has ended after SQLite has called the commit hook.
    func didEndStatement(on connection: Connection)
}
