import Squall

/// Advice on errors whose cause is typical.
enum SchemaHint {
    /// Returns advice on an error; `nil` if its cause is not known.
    static func hint(for error: SQLiteError, _ changes: SchemaChangeLog) -> String? {
        let message = error.message
        func name(after start: String) -> String? {
            message.hasPrefix(start) ? String(message.dropFirst(start.count)) : nil
        }
        if let name = missingName(in: message) {
            if let hint = changes.hint(forMissing: name) { return hint }
            return error.hint?.hasPrefix("double quotes") == true ? "text stands in single quotes" : error.hint
        }
        if let name = name(after: "no such function: ") {
            if Identifier(name) == "load_extension" { return SchemaGuard.extensionMessage }
            return "declare a function of the app by a comment: -- function: \(name)(Int, String) -> Double"
        }
        if let name = name(after: "no such collation sequence: ") {
            return "declare a collation of the app by a comment: -- collation: \(name)"
        }
        if case .libraryLacks = error.kind { return error.hint }
        if message.hasPrefix("no such module: ") || message.hasPrefix("no such tokenizer: ") {
            return "name the extension that has it in squall.json"
        }
        if message == "database or disk is full" { return "the rows of schema files are too many to be checked" }
        return error.hint
    }

    /// Returns the table or the column that an error of SQLite reports as missing: `c.cost` of `no such column: c.cost`.
    static func missingName(in message: String) -> String? {
        for start in ["no such column: ", "no such table: ", "no such view: "] where message.hasPrefix(start) {
            return message.dropFirst(start.count).filter { $0 != "\"" }
        }
        // table cars has no column named cost
        guard message.hasPrefix("table "), let end = message.firstRange(of: " has no column named ") else { return nil }
        return "\(message[..<end.lowerBound].dropFirst(6)).\(message[end.upperBound...])"
    }
}
