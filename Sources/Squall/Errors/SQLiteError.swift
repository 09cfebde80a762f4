import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// # Errors
//
// Errors that SQLite reports, and those that the library reports on its behalf, have one type: `SQLiteError`.
//
//     do {
//         try connection.run("INSERT INTO users(email) VALUES('ada@example.org')")
//     } catch ResultCode.constraintUnique {
//         print("that address is already in use")
//     } catch let error as SQLiteError {
//         print(error.message, error.hint ?? "", error.location?.line ?? 0)
//     }
//
// `ResultCode` is the number with its name. `SQLiteError.Kind` tells errors with the same code apart, and carries their
// values. Later rooms have enums that are `SQLiteProblem`s, which `Kind.problem` wraps.
//
// An error of a statement is made so:
// 1. A call of SQLite returns a code. The room Connection passes it to `Connection.failure(_:sql:)`.
// 2. `SQLiteError.init(_:on:sql:skipped:)` reads the message, the extended code and the offset from the handle.
// 3. `SQLiteError+Hints.swift` adds advice if the code or the message has a common cause.
// 4. `Connection.explained(_:)` names the reason of an interrupt, and the action that an authorizer has denied.
// 5. `Connection.rethrown(_:)` returns instead the error that a virtual table or a search function in Swift has thrown.
//
// Invariants: Bound values are never part of an error, so that it can be logged. The message of the handle is used only
// if it belongs to the code of the call. An error that is made from a kind has the message of the kind
// (`SQLiteError+KindMessage.swift`). A `catch` with a primary code matches all its extended codes.

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

    /// The byte offset of the error in `sql` as UTF-8, when SQLite reports one.
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
    /// The extended code, the message, the hint and the SQL, with a caret below the position of the error when SQLite reports
    /// one.
    ///
    ///     SQLITE_ERROR (1): no such column: nmae, at line 1, column 8 in:
    ///     SELECT nmae FROM cars
    ///            ^
    ///
    /// Without a position the description is one line. Of SQL of more than 1,000 characters, only the line with the
    /// error is shown.
    @_documentation(visibility: internal)
    public var description: String {
        var text = "\(extendedResultCode.name) (\(extendedCode)): \(message)"
        let location = location
        if let location { text += ", at line \(location.line), column \(location.column)" }
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
    @_documentation(visibility: internal)
    public var errorDescription: String? { message }

    public var failureReason: String? { codeDescription }

    public var recoverySuggestion: String? { hint }
}

extension SQLiteError {
    /// Reads the last error of a connection for a statement of `sql` that begins after `skipped` bytes.
    package init(_ code: Int32, on database: OpaquePointer?, sql: String? = nil, skipped: Int = 0) {
        var code = code
        var message = ResultCode(rawValue: code).description
        var offset: Int?
        // The connection may have reported another error since, or have no memory for its message. Then its text does
        // not belong to `code`.
        if let database, sqlite3_errcode(database) & 0xff == code & 0xff {
            code = sqlite3_extended_errcode(database)
            message = String(cString: sqlite3_errmsg(database))
            let found = sqlite3_error_offset(database)
            offset = found >= 0 && sql != nil ? Int(found) + skipped : nil
        }
        let missing = LibraryFeature(missingModule: message).map { Kind.libraryLacks($0) }
        var hint = missing?.hint ?? Self.hint(for: code, on: database, sql: sql) ?? Self.hint(for: message, sql: sql)
        if let name = Self.nameInQuestion(message) {
            message = "no such column: \(name)"
            hint = Self.hint(forDoubleQuoted: name)
        }
        self.init(code: code, message: message, sql: sql, offset: offset, hint: hint)
        if let missing { kind = missing }
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
    package init(_ kind: Kind, code: ResultCode, sql: String? = nil, offset: Int? = nil, hint: String? = nil) {
        self.init(code: code.rawValue, message: kind.message, sql: sql, offset: offset, hint: hint ?? kind.hint)
        self.kind = kind
    }

    /// An error of an SQLite library that was built without a feature.
    package static func libraryLacks(_ feature: LibraryFeature) -> SQLiteError {
        SQLiteError(.libraryLacks(feature), code: .error)
    }

    /// Returns a copy of the error with changed properties.
    func changed(_ change: (inout SQLiteError) -> Void) -> SQLiteError {
        var error = self
        change(&error)
        return error
    }

    /// The error of the overloads that only explain a compile error.
    static var unavailableError: SQLiteError { misuse(.unavailable) }

    package static func connectionIsClosed(sql: String? = nil) -> SQLiteError {
        .misuse(.closed(.connection), sql: sql)
    }

    /// The error of a statement or a wait that was ended.
    static func interrupted(_ reason: InterruptionReason, sql: String? = nil, hint: String? = nil) -> SQLiteError {
        SQLiteError(.interrupted(reason), code: .interrupt, sql: sql, hint: hint)
    }
}
