import Squall

/// Copies of a database: the destination has all of it, or is as before.
struct BackupScenario: Scenario {
    var name: String { "backups" }
    var files: [String] { ["main.db", "copy.db", "compact.db"] }

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
            INSERT INTO t SELECT i, hex(zeroblob(200)) FROM c;
            """
        )
    }

    /// VACUUM INTO takes a file whose size cannot be read for one that exists.
    func expects(_ error: any Error, _ fault: Fault, _ failedCall: String) -> Bool {
        if failedCall == "fstat", (error as? SQLiteError)?.message == "output file already exists" { return true }
        return fault.codes(failedCall).contains { $0 ~= error }
    }

    var steps: [Step<Database>] {
        [
            Step { database in
                try copy(database, to: "copy.db")
            },
            Step { database in try await database.write { try $0.run("UPDATE t SET b = a WHERE a < 30") } },
            Step { database in
                for try await _ in database.backup(to: path(database, "copy.db"), pagesPerStep: 2) {}
            },
            Step { database in try await database.vacuum(into: path(database, "compact.db")) },
            Step { database in
                let bytes = try await database.writeWithoutTransaction { connection in
                    // The pages must be read from the file.
                    try connection.execute("PRAGMA shrink_memory")
                    return try connection.serialize()
                }
                let memory = try Connection(":memory:")
                try memory.deserialize(bytes)
                let right: Int = try memory.query(
                    "SELECT count(*) FROM t WHERE b = CASE WHEN a < 30 THEN a || '' ELSE hex(zeroblob(200)) END")
                try expect(right, 40)
            },
            Step { database in
                try await database.writeWithoutTransaction { connection in
                    let memory = try Connection(":memory:")
                    try connection.backup(to: memory).run()
                    let count: Int = try memory.query("SELECT count(*) FROM t")
                    try expect(count, 40)
                }
            },
            Step { try await $0.vacuum() },
        ]
    }

    private func copy(_ database: Database, to name: String) throws {
        try database.blocking.backup(to: path(database, name), pagesPerStep: 3)
    }

    private func path(_ database: Database, _ name: String) -> String {
        database.fileName.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
    }
}
