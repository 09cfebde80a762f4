import Squall

/// Advice on errors whose cause is typical.
enum SchemaHint {
    /// Returns advice on an error; `nil` if its cause is not known.
    static func hint(for error: SQLiteError, _ changes: SchemaChangeLog) -> String? {
        let message = error.message
        func name(after start: String) -> String? {
            message.hasPrefix(start) ? String(message.dropFirst(start.count)) : nil
        }
        if let name = name(after: "no such table: ") ?? name(after: "no such column: ") ?? name(after: "no such view: ")
        {
            return changes.hint(forMissing: name) ?? error.hint
        }
        if let name = name(after: "no such function: ") {
            return "declare a function of the app by a comment: -- function: \(name)(Int, String) -> Double"
        }
        if let name = name(after: "no such collation sequence: ") {
            return "declare a collation of the app by a comment: -- collation: \(name)"
        }
        if message.hasPrefix("no such module: ") || message.hasPrefix("no such tokenizer: ") {
            return "name the extension that has it in squall.json"
        }
        if message == "database or disk is full" { return "the rows of schema files are too many to be checked" }
        return error.hint
    }
}
