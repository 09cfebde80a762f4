import Squall

/// Functions, aggregates, collations and hooks of the program.
struct CallbackScenario: Scenario {
    var name: String { "functions and hooks" }

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT);
            INSERT INTO words(word) VALUES('pear'), ('Apple'), ('fig'), ('banana with a longer name');
            """
        )
    }

    func open(_ folder: String) async throws -> Connection {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory())
        try connection.addFunction("reversed") { (text: String) in String(text.reversed()) }
        try connection.addCollation("by_length") { (left: String, right: String) in
            left.utf8.count == right.utf8.count
                ? .orderedSame : left.utf8.count < right.utf8.count ? .orderedAscending : .orderedDescending
        }
        connection.addUpdateObserver { _, _, _, _ in }
        return connection
    }

    var steps: [Step<Connection>] {
        [
            Step { connection in
                let words: [String] = try connection.query(
                    "SELECT reversed(word) FROM words ORDER BY word COLLATE by_length LIMIT 2")
                try expect(words, ["gif", "raep"])
            },
            Step { try $0.run("UPDATE words SET word = reversed(word) || reversed(word)") },
            Step { connection in
                try connection.execute("CREATE INDEX by_word ON words(word)")
            },
            Step { connection in
                try expect(try connection.tableInfo("words")?.columns.map(\.name), ["id", "word"])
                _ = try connection.integrityCheck()
            },
        ]
    }
}
