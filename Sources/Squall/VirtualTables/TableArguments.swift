import SquallSQLite

/// The arguments with which SQLite makes a virtual table: `CREATE VIRTUAL TABLE temp.poem USING lines(text='one')`.
public struct TableArguments: Sendable {
    /// The name of the module: `lines`.
    public let module: String
    /// The database of the table: `temp`.
    public let database: String
    /// The name of the table: `poem`; the name of the module for a table that was not created.
    public let table: String
    /// The text of each argument in the parentheses, as it was written.
    public let values: [String]
    /// Whether the table is being created now. It is known for modules of the use ``ModuleUse/created``, and `false` for others.
    public let isCreation: Bool

    /// Returns the value of a named argument: `one` for `text='one'`. Quotes around the value are removed.
    public subscript(name: String) -> String? {
        for argument in values {
            guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let (key, value) = (argument[..<sign].trimmedSpaces, argument[argument.utf8.index(after: sign)...])
            if key.isSameName(as: name) { return String(value.trimmedSpaces).unquoted }
        }
        return nil
    }

    /// Returns the value of a named argument.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1), when there is none.
    public func required(_ name: String) throws -> String {
        if let value = self[name] { return value }
        throw SQLiteError(code: SQLITE_ERROR, message: "\(module) needs the argument \(name)")
    }
}

extension StringProtocol {
    fileprivate var trimmedSpaces: SubSequence {
        let spaces = " \t\r\n\u{0C}".unicodeScalars
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !spaces.contains($0) }),
            let last = scalars.lastIndex(where: { !spaces.contains($0) })
        else { return self[endIndex...] }
        return self[first..<scalars.index(after: last)]
    }
}

extension String {
    /// The text without the quotes of SQL around it, if it has any.
    fileprivate var unquoted: String {
        guard utf8.count >= 2, let first = utf8.first, let last = utf8.last else { return self }
        let closing = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
        guard "'\"`[".utf8.contains(first), last == closing else { return self }
        let content = utf8.dropFirst().dropLast()
        if first == UInt8(ascii: "[") { return String(content) ?? self }
        var result: [UInt8] = []
        var isSecond = false
        for byte in content {
            isSecond = byte == first && !isSecond
            if !isSecond { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
