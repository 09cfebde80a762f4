import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error reported by SQLite, or by Squall on its behalf.
///
/// The values bound to a statement are never part of an error, so that it can be logged.
public struct SQLiteError: Error, Equatable, Sendable {
    /// The extended result code, for instance `SQLITE_CONSTRAINT_FOREIGNKEY` (787).
    public let extendedCode: Int32

    /// The kind of the error, with its values; ``Kind/sqlite`` for an error that its code describes.
    public internal(set) var kind = Kind.sqlite

    /// The error message of SQLite or Squall.
    public internal(set) var message: String

    /// The SQL that failed, as it was given.
    public internal(set) var sql: String?

    /// The byte offset of the error in `sql` as UTF-8, when SQLite reports one (3.38 and later).
    public internal(set) var offset: Int?

    /// Advice on fixing the error, when there is a common cause.
    public internal(set) var hint: String?

    /// The primary result code, for instance `SQLITE_CONSTRAINT` (19) for every violated constraint.
    public var code: Int32 { extendedCode & 0xff }

    /// SQLite's text for `code`.
    public var codeDescription: String { ResultCode(rawValue: code).description }

    /// The primary result code by name.
    public var resultCode: ResultCode { ResultCode(rawValue: code) }

    /// The extended result code by name.
    public var extendedResultCode: ResultCode { ResultCode(rawValue: extendedCode) }

    public init(code: Int32, message: String, sql: String? = nil, offset: Int? = nil, hint: String? = nil) {
        self.extendedCode = code
        self.message = message
        self.sql = sql
        self.offset = offset
        self.hint = hint
    }
}

extension SQLiteError: CustomStringConvertible, LocalizedError {
    /// The message, the codes, the hint and the SQL, with a caret below the position of the error when SQLite reports
    /// one.
    ///
    ///     { message="no such column: nmae", … } SQLITE_ERROR (1) at line 1, column 8 in:
    ///     SELECT nmae FROM cars
    ///            ^
    ///
    /// Without a position the description is one line. Of SQL of more than 1,000 characters, only the line with the
    /// error is shown.
    public var description: String {
        var text = "{ message=\"\(message)\", code=\(code), codeDescription=\"\(codeDescription)\" } "
        text += "\(extendedResultCode.name) (\(extendedCode))"
        let location = location
        if let location { text += " at line \(location.line), column \(location.column)" }
        if let hint { text += " (hint: \(hint))" }
        guard let sql else { return text }
        let isLong = sql.utf8.count > 1_000
        guard let location, location.column <= 1_000 else {
            return text + " in: " + (isLong ? "\((location?.text ?? sql).prefix(1_000)) …" : sql)
        }
        let lines = isLong ? ["\(location.text.prefix(1_000)) …"] : Self.lines(of: sql)
        let caret = String(location.prefix.map { $0 == "\t" ? "\t" : " " }) + "^"
        let end = isLong ? 1 : min(location.line, lines.count)
        return ([text + " in:"] + lines[..<end] + [caret] + lines[end...]).joined(separator: "\n")
    }

    /// The lines of SQL. By bytes, as ``location`` counts them: to a `String`, CR LF is one character, and not a line feed.
    private static func lines(of sql: String) -> [String] {
        sql.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }

    /// The message, to be shown to users; `description` has the details.
    public var errorDescription: String? { message }

    public var failureReason: String? { codeDescription }

    public var recoverySuggestion: String? { hint }
}

extension SQLiteError {
    /// Reads the last error of a connection for a statement of `sql` that begins after `skipped` bytes.
    init(_ code: Int32, on database: OpaquePointer?, sql: String? = nil, skipped: Int = 0) {
        var code = code
        var message = ResultCode(rawValue: code).description
        var offset: Int?
        // The connection may have reported another error since, or have no memory for its message. Then its text does
        // not belong to `code`.
        if let database, sqlite3_errcode(database) & 0xff == code & 0xff {
            code = sqlite3_extended_errcode(database)
            message = String(cString: sqlite3_errmsg(database))
            let found = squall_error_offset(database)
            offset = found >= 0 && sql != nil ? Int(found) + skipped : nil
        }
        let hint = Self.hint(for: code, on: database, sql: sql) ?? Self.hint(for: message, sql: sql)
        self.init(code: code, message: message, sql: sql, offset: offset, hint: hint)
        guard code & 0xff == SQLITE_INTERRUPT else { return }
        kind = .interrupted(.request)
        // SQLite reports an interrupted ATTACH or VACUUM INTO with the text "unable to open database".
        self.message = kind.message
    }

    /// An incorrect use of the library, reported as `SQLITE_MISUSE` (21).
    static func misuse(_ kind: Kind, sql: String? = nil, offset: Int? = nil, hint: String? = nil) -> SQLiteError {
        SQLiteError(kind, code: .misuse, sql: sql, offset: offset, hint: hint)
    }

    /// Makes an error with the message of its kind.
    init(_ kind: Kind, code: ResultCode, sql: String? = nil, offset: Int? = nil, hint: String? = nil) {
        self.init(code: code.rawValue, message: kind.message, sql: sql, offset: offset, hint: hint)
        self.kind = kind
    }

    /// Returns a copy of the error with changed properties.
    func changed(_ change: (inout SQLiteError) -> Void) -> SQLiteError {
        var error = self
        change(&error)
        return error
    }

    /// The error of the overloads that only explain a compile error.
    static var unavailableError: SQLiteError { misuse(.unavailable) }

    static func connectionIsClosed(sql: String? = nil) -> SQLiteError {
        .misuse(.closed(.connection), sql: sql)
    }

    /// The error of a statement or a wait that was ended.
    static func interrupted(_ reason: InterruptionReason, sql: String? = nil, hint: String? = nil) -> SQLiteError {
        SQLiteError(.interrupted(reason), code: .interrupt, sql: sql, hint: hint)
    }

    /// Returns advice for an error that is recognised by its extended code.
    private static func hint(for code: Int32, on database: OpaquePointer?, sql: String?) -> String? {
        if code & 0xff == SQLITE_NOTADB {
            func begins(with word: String) -> Bool {
                sql.map { sqlite3_strnicmp($0, word, Int32(word.utf8.count)) == 0 } ?? false
            }
            let name = database.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) } ?? ""
            let file = name.isEmpty ? "the file" : "the file \(name)"
            let subject =
                begins(with: "ATTACH")
                ? "the file to attach" : begins(with: "VACUUM") ? "the destination, or \(file)," : file
            return "\(subject) is not an SQLite database, or it is encrypted"
        }
        // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY
        guard code == SQLITE_READONLY | 5 << 8 || code == SQLITE_READONLY | 6 << 8 else { return nil }
        return
            "SQLite cannot make its files (-wal, -shm, -journal) beside the database, because the directory cannot be "
            + "written: open the database with mode .immutable if nothing changes it"
    }

    /// Returns advice for an error that is recognised by its message: a file made for laxer settings, or a value
    /// interpolated where SQL requires a name.
    private static func hint(for message: String, sql: String?) -> String? {
        if message == "near \"?\": syntax error" {
            return
                "a parameter cannot stand for a name or a keyword: \\(name:) quotes a name, \\(raw:) splices text; nor for a "
                + "value in a definition or a PRAGMA, which is a literal"
        }
        if message.contains("parameters prohibited in ") || message == "parameters are not allowed in views"
            || message == "trigger cannot use variables"
            || message.hasPrefix("default value of column") && sql?.contains("?") == true
        {
            return
                "SQLite stores the text of a definition, which has no values: write a literal, or splice trusted text "
                + "with \\(raw:); the helpers that take names, `createTable` for instance, write literals for you"
        }
        if message == "no such tokenizer: cjk" {
            return "call addCJKTokenizer() on each connection that uses the table: in the preparation of a Database"
        }
        if message.hasPrefix("no such function: vec_distance_") {
            return
                "call `connection.addVectorFunctions()`, for a database in its preparation, or load an extension that has it"
        }
        if message.hasPrefix("unsafe use of virtual table ") {
            return
                "a trigger or a view of this file uses a virtual table that is not innocuous, like FTS5 and R*Tree tables "
                + "before SQLite 3.44: open the file with trustedSchema on if you trust it"
        }
        if message.hasPrefix("too many "), message.hasSuffix(" variables") {
            return "the connection's limit of variables is lower than the number of parameters: put the values into a "
                + "table, or run the statement for a part of them at a time"
        }
        if message.hasPrefix("unsafe use of ")
            || message.hasPrefix("malformed database schema (") && message.contains(" - unsafe use of ")
        {
            return "the schema of this file calls a function that is not innocuous: register it as innocuous, or with "
                + "directOnly: false and open the file with trustedSchema on"
        }
        let prefix = "no such column: "
        if message.hasPrefix(prefix), let sql {
            let name = message.dropFirst(prefix.count).replacing("\"", with: "")
            if sql.contains("\"\(name)\"") {
                return "double quotes are for names: write '\(name)' for text, or open the file with "
                    + "doubleQuotedStrings on"
            }
        }
        return nil
    }
}
