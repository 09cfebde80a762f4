import SquallSQLite

extension SQLiteError.LibraryFeature {
    /// The feature whose module an error message of SQLite does not find; `nil` for another message.
    init?(missingModule message: String) {
        let start = "no such module: "
        guard message.hasPrefix(start) else { return nil }
        // The name is as the SQL has it.
        let name = String(message.dropFirst(start.count))
        func isOne(of modules: String...) -> Bool { modules.contains { sqlite3_stricmp($0, name) == 0 } }
        if isOne(of: "fts5", "fts5vocab") {
            self = .fullTextSearch
        } else if isOne(of: "rtree", "rtree_i32") {
            self = .spatialTables
        } else {
            return nil
        }
    }

    /// Advice on an SQLite that lacks the feature.
    fileprivate var hint: String {
        switch self {
        case .threads: "link an SQLite that was built with SQLITE_THREADSAFE=1 or 2"
        case .preUpdateHook: "link an SQLite that was built with SQLITE_ENABLE_PREUPDATE_HOOK"
        case .sessions: "link an SQLite that was built with SQLITE_ENABLE_SESSION and SQLITE_ENABLE_PREUPDATE_HOOK"
        case .serialization: "link an SQLite that was built without SQLITE_OMIT_DESERIALIZE"
        case .extensionLoading:
            "link the extension into the program and call its entry point on each connection, or link an SQLite that was built "
                + "without SQLITE_OMIT_LOAD_EXTENSION"
        case .fullTextSearch: "link an SQLite that was built with SQLITE_ENABLE_FTS5"
        case .spatialTables: "link an SQLite that was built with SQLITE_ENABLE_RTREE"
        }
    }
}

extension SQLiteError.Kind {
    /// Advice on an error of this kind; `nil` for a kind whose message is enough.
    var hint: String? {
        switch self {
        case .libraryLacks(let feature): feature.hint
        case .problem(let problem): problem.base.hint
        default: nil
        }
    }
}

extension SQLiteError {
    /// Returns advice for an error that is recognised by its extended code.
    static func hint(for code: Int32, on database: OpaquePointer?, sql: String?) -> String? {
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
        if code == ResultCode.busySnapshot.rawValue {
            return "another connection has written since this one began to read, and waiting does not help: begin the "
                + "transaction IMMEDIATE, or end the statement that reads, and run it again"
        }
        // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY
        guard code == SQLITE_READONLY | 5 << 8 || code == SQLITE_READONLY | 6 << 8 else { return nil }
        return
            "SQLite cannot make its files (-wal, -shm, -journal) beside the database, because the directory cannot be "
            + "written: open the database with mode .immutable if nothing changes it"
    }

    /// Returns advice for an error that is recognised by its message: a file made for laxer settings, or a value
    /// interpolated where SQL requires a name.
    static func hint(for message: String, sql: String?) -> String? {
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
            return
                "`import SquallSearch`, and call addCJKTokenizer() on each connection that uses the table: in the preparation of "
                + "a Database"
        }
        if message.hasPrefix("no such collation sequence: ") {
            return "call addCollation on each connection that uses it: for a Database, in its preparation"
        }
        if message == "cannot start a transaction within a transaction" {
            return "a transaction is open already, as in `write` and in a version: use `savepoint`, which nests"
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
            if sql.contains("\"\(name)\"") { return hint(forDoubleQuoted: name) }
        }
        return nil
    }

    static func hint(forDoubleQuoted name: some StringProtocol) -> String {
        "double quotes are for names: write '\(name)' for text, or open the file with doubleQuotedStrings on"
    }

    /// Returns the name in a message that asks what the hint tells; `nil` for another message. The rest of the message is the same in all
    /// versions of SQLite, and an error has it without the question.
    ///
    ///     no such column: "Audi" - should this be a string literal in single-quotes?
    static func nameInQuestion(_ message: String) -> Substring? {
        let (start, end) = ("no such column: \"", "\" - should this be a string literal in single-quotes?")
        guard message.hasPrefix(start), message.hasSuffix(end) else { return nil }
        return message.dropFirst(start.count).dropLast(end.count)
    }
}
