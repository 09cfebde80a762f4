import Squall

extension World {
    /// Checks the rows through the database and through a plain connection, the file, and what the features expect.
    func check() throws {
        script?.isModelCurrent = true
        for part in parts { try part.willCheck(self) }
        try database.blocking.read { try self.checkRows($0, "a reader") }
        try database.blocking.writeWithoutTransaction { try self.checkFile($0, "the writer") }
        if !settings.isInMemory {
            let plain = try connection(nil, .readOnly)
            defer { plain.close() }
            try checkRows(plain, "a second connection")
        }
        for part in parts { try part.check(self) }
        for part in parts { try part.didCheck(self) }
    }

    /// Checks a copy of the file, with the oracles of the features.
    func checkCopy(_ path: String) throws {
        let copy = try connection(path)
        defer { copy.close() }
        try checkFile(copy, "a copy")
    }

    /// Lets the tool inspect the file of a database that is closed, and checks that it has changed nothing.
    ///
    /// - Returns: Whether the tool can read the file: it has no functions and collations of a program.
    func inspect() throws -> Bool {
        guard !settings.isInMemory, settings.preparations.isEmpty else { return false }
        try ToolRun.inspect("\(folder)/main.db", in: folder)
        let connection = try connection()
        defer { connection.close() }
        try checkFile(connection, "an inspected file")
        return true
    }

    /// Checks the rows, the structure and the indexes of a file.
    func checkFile(_ connection: Connection, _ subject: String) throws {
        try checkRows(connection, subject)
        try checkStructure(connection, subject)
        for part in parts { try part.check(connection, model) }
    }

    /// Checks the structure of a file.
    func checkStructure(_ connection: Connection, _ subject: String) throws {
        let problems: [String] = try connection.query("PRAGMA integrity_check")
        try require(problems == ["ok"], "integrity_check of \(subject): \(problems)")
        let orphans: [String] = try connection.query("SELECT \"table\" FROM pragma_foreign_key_check")
        try require(orphans.isEmpty, "foreign_key_check of \(subject): \(orphans)")
    }

    /// Checks the rows of the common tables.
    func checkRows(_ connection: Connection, _ subject: String) throws {
        try require(rows(of: connection), equals: model, "rows of \(subject)")
    }

    /// Reads the common tables.
    func rows(of connection: Connection) throws -> Model { try Self.rows(of: connection, verbs) }

    /// Reads the common tables by verbs.
    static func rows(of connection: Connection, _ verbs: ItemVerbs) throws -> Model {
        var found = Model()
        for row in try verbs.all(connection) { found.items[row.id] = row }
        try connection.forEach("SELECT id, name FROM authors") { row in
            found.authors[row[0] as Int64] = row[1] as String
        }
        return found
    }
}
