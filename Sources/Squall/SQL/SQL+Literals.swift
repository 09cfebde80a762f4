import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQL {
    /// This SQL with its values as literals: `"age > \(18)"` becomes `age > 18`. It is for definitions, in which SQLite
    /// allows no parameters. Text is quoted, and each `'` in it doubled.
    ///
    /// If a value is inside quotes or a comment, or is NaN, which has no literal, the result throws from every verb.
    package var withLiterals: SQL {
        guard hasValues else { return self }
        var text = head
        do {
            try checkValueOffsets()
            var isAfterLiteral = false
            for piece in tail {
                switch piece {
                case .text(let piece):
                    if isAfterLiteral { text.appendToken(piece) } else { text += piece }
                case .value(let value): text.appendToken(try value.literal)
                case .table:
                    throw SQLiteError.misuse(
                        .unbindable(type: "Array"), sql: self.text, hint: "a definition has no parameters")
                case .list(let values, _):
                    text += "(\(try values.map { try $0.literal }.joined(separator: ", ")))"
                }
                if case .value = piece { isAfterLiteral = true } else { isAfterLiteral = false }
            }
            return replaced(by: text)
        } catch {
            var result = replaced(by: self.text)
            result.fail(error)
            return result
        }
    }
}

extension String {
    /// Appends text that begins with a token, and keeps that token separate: `10-` and `-5` become `10- -5`, not a
    /// comment.
    fileprivate mutating func appendToken(_ text: String) {
        if let last = utf8.last, let first = text.utf8.first, last.joins(first) { append(" ") }
        append(text)
    }
}

extension UInt8 {
    /// Whether SQLite could read two tokens as one, the first ending in this byte and the second beginning with `next`.
    fileprivate func joins(_ next: UInt8) -> Bool {
        let quotes = "'\"`".utf8
        let prefixes = "?:@#.".utf8
        if isOfWord || prefixes.contains(self) {
            return next.isOfWord || next == UInt8(ascii: ".") || quotes.contains(next)
        }
        return self == next && (self == UInt8(ascii: "-") || quotes.contains(self))
    }
}

extension BindingValue {
    /// The value as an SQL literal, which is one expression in every context.
    ///
    /// - Throws: ``SQLiteError`` for NaN.
    var literal: String {
        get throws {
            switch self {
            case .null: "NULL"
            case .integer(.min): "(-9223372036854775807 - 1)"
            case .integer(let value): "\(value)"
            case .real(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
            case .real(let value) where value.isNaN:
                throw SQLiteError(.unstorable(type: "Double", reason: .notANumberAsLiteral), code: .mismatch)
            case .real(let value): RealLiteral.text(of: value)
            // DEFAULT takes an expression only in parentheses.
            case .text(let value) where value.utf8.contains(0): "(CAST(\(Data(value.utf8).literal) AS TEXT))"
            case .text(let value): "'\(value.doubling("'"))'"
            case .blob(let value): value.literal
            case .malformedText(let value): "(CAST(\(value.literal) AS TEXT))"
            }
        }
    }
}

extension Data {
    fileprivate var literal: String {
        let digits = map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        return "X'\(digits.joined())'"
    }
}

/// The literal of a number in SQL.
enum RealLiteral {
    /// Returns a text that SQLite reads as the number, of 17 to 20 digits where the shortest is read as one beside it. For some numbers
    /// below 1e-290 there is none.
    static func text(of number: Double) -> String {
        let shortest = "\(number)"
        // Few digits without an exponent are read exactly.
        if shortest.utf8.count < 16 && !shortest.contains("e") || read(shortest) == number { return shortest }
        let longer = (17...20).lazy.map { digits in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { text in
                _ = withVaList([Int32(digits), number]) { sqlite3_vsnprintf(40, text.baseAddress, "%!.*g", $0) }
                return text.baseAddress.map { String(cString: $0) } ?? shortest
            }
        }
        return longer.first { read($0) == number } ?? shortest
    }

    /// Returns the number that SQLite reads.
    private static func read(_ text: String) -> Double? {
        var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        sqlite3_open(":memory:", &handle)
        sqlite3_prepare_v2(handle, "SELECT \(text)", -1, &statement, nil)
        return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_double(statement, 0) : nil
    }
}

extension SQL {
    /// Returns the text and the values of its parameters, for running it elsewhere than on a ``Connection``.
    ///
    /// - Parameter parameterLimit: The largest number of parameters there. Lists for `IN` that exceed it are not padded, or
    ///   become one value as JSON, as on a connection.
    /// - Throws: ``SQLiteError`` for SQL that a connection refuses before SQLite sees it, and for an array, which is a table of
    ///   this process; the error of a value that cannot be stored.
    public func portable(
        parameterLimit: Int = .max
    ) throws -> (text: String, parameters: [BindingValue]) {
        if let failure { throw failure }
        guard tableParameters.isEmpty else { throw SQLiteError.misuse(.arrayElsewhere, sql: text) }
        if hasValues { try checkValueOffsets() }
        for case (let index, .real(let value)) in parameters.enumerated() where value.isNaN {
            throw SQLiteError(
                .unstorable(type: "Double", reason: .notANumberForParameter(index + 1)), code: .mismatch, sql: text)
        }
        let fitted = fitted(to: parameterLimit)
        return (fitted.text, fitted.parameters)
    }

    /// Returns the text of a script with its values in place, as literals, for running it elsewhere than on a ``Connection``.
    ///
    /// - Throws: As ``portable(parameterLimit:)``.
    public func portableScript() throws -> String { try withLiterals.portable().text }
}
