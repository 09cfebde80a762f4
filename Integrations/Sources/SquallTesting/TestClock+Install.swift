import Squall

extension TestClock {
    /// Makes SQLite's date functions of a connection use this clock. Call it in the preparation of a database, so that
    /// all of its connections do; the trait's `clockAt` does this.
    ///
    ///     let database = try Database("app.db") { try clock.install(on: $0) }
    ///
    /// It adds functions with the names of SQLite's: `date`, `time`, `datetime`, `julianday`, `unixepoch`, `strftime`,
    /// `timediff`, `current_date`, `current_time` and `current_timestamp`, as far as this SQLite has them. They replace
    /// `'now'`, in any letter case, by the time of the clock, and a time that is left out as well. SQLite's own
    /// functions, called on a connection in memory, do the rest. So modifiers such as `'-1 day'`, `'localtime'` and
    /// `'subsec'` work.
    ///
    /// The schema may call them: in DEFAULT clauses, triggers, views, indexes and generated columns. SQLite's functions
    /// refuse `'now'` in an index, a generated column or a CHECK constraint; these do not.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) while a statement of the connection is running or is at a row.
    public func install(on connection: Connection) throws {
        let functions = try SQLiteDateFunctions()
        for (name, firstTime) in functions.timeArguments {
            // Deterministic and innocuous, as SQLite's own: it calls them in indexes and for a schema that is not
            // trusted.
            try connection.addFunction(name, deterministic: true, directOnly: false, innocuous: true) {
                [self] (arguments: [BindingValue]) -> BindingValue? in
                try functions.call(name, arguments, timesAt: firstTime, now: milliseconds)
            }
        }
        for (name, function) in [
            ("current_date", "date"), ("current_time", "time"), ("current_timestamp", "datetime"),
        ] {
            try connection.addFunction(name, directOnly: false, innocuous: true) { [self] () -> BindingValue? in
                try functions.call(function, [], timesAt: 0..<1, now: milliseconds)
            }
        }
    }
}

/// SQLite's own date functions, on a connection without the clock.
private final class SQLiteDateFunctions {
    private let connection: Connection
    /// The functions of this SQLite, with the positions of those arguments that are times.
    let timeArguments: [String: Range<Int>]
    /// Whether `'subsec'` in place of a time is the current time (SQLite 3.42 and later).
    private let takesSubsec: Bool

    init() throws {
        connection = try Connection(":memory:")
        let positions = [
            "date": 0..<1, "time": 0..<1, "datetime": 0..<1, "julianday": 0..<1, "unixepoch": 0..<1, "strftime": 1..<2,
            "timediff": 0..<2,
        ]
        let existing: [String] = try connection.query("SELECT DISTINCT name FROM pragma_function_list")
        timeArguments = positions.filter { existing.contains($0.key) }
        takesSubsec = try connection.query("SELECT datetime('subsec') IS NOT NULL")
    }

    /// Calls a function with a time in place of `'now'`, and in place of times that are left out.
    func call(
        _ name: String, _ arguments: [BindingValue], timesAt times: Range<Int>, now milliseconds: Int64
    ) throws -> BindingValue? {
        var values = Array(arguments.prefix(times.lowerBound))
        for (index, argument) in arguments.enumerated().dropFirst(times.lowerBound) {
            let word = times.contains(index) ? argument.word : nil
            switch word {
            case "now":
                values.append(try text(of: milliseconds))
            case "subsec" where takesSubsec, "subsecond" where takesSubsec:
                values.append(try text(of: milliseconds))
                // A function of two times has no modifiers.
                if times.count == 1 { values.append(.text("subsec")) }
            default:
                values.append(argument)
            }
        }
        // `datetime()` and `strftime('%s')`: SQLite takes the current time.
        if times.count == 1, arguments.count == times.lowerBound { values.append(try text(of: milliseconds)) }
        let list = values.map { "\($0)" as SQL }.joined(separator: ", ")
        return try connection.query("SELECT \(raw: name)(\(list))")
    }

    private func text(of milliseconds: Int64) throws -> BindingValue {
        // `Z`: a time in UTC, as `'now'` is one for the modifier `'utc'`.
        let seconds = Double(milliseconds) / 1000
        return try connection.query("SELECT strftime('%Y-%m-%d %H:%M:%fZ', \(seconds), 'unixepoch')") ?? .null
    }
}

extension BindingValue {
    /// The value as SQLite's date functions read it where it may be a word: TEXT or BLOB up to the first NUL, in small
    /// letters.
    fileprivate var word: String? {
        let bytes: [UInt8]
        switch self {
        case .text(let text): bytes = Array(text.utf8)
        case .blob(let data), .malformedText(let data): bytes = Array(data)
        case .null, .integer, .real: return nil
        }
        // Only ASCII letters: lowercased() also folds the Kelvin sign.
        let letters = bytes.prefix { $0 != 0 }.map { (65...90).contains($0) ? $0 + 32 : $0 }
        return String(decoding: letters, as: UTF8.self)
    }
}
