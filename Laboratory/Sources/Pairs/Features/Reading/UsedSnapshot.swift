import Squall

/// A new snapshot that is used as the database itself: with the functions and files of the program, and with all its objects.
struct UsedSnapshot {
    let snapshot: ReadSnapshot
    let database: Database
    let world: World

    /// Takes a snapshot of a database in memory with the content of the file.
    static func checkInMemory(_ world: World) throws {
        let bytes = try world.database.blocking.writeWithoutTransaction { try $0.serialize() }
        let preparations = world.settings.preparations + world.settings.databasePreparations
        world.log(
            """
            do {
                let bytes = try db.blocking.writeWithoutTransaction { try $0.serialize() }
                let copy = try Database(":memory:", configuration: configuration, preparation: prepare)
                try copy.blocking.writeWithoutTransaction { try $0.deserialize(bytes) }
                let snapshot = try copy.blocking.snapshot()
                _ = try snapshot.blocking.read { try $0.table(items).all() }
                try snapshot.close()
                try copy.blocking.close()
            }
            """)
        let copy = try Database(":memory:", configuration: world.settings.configuration) { connection in
            for prepare in preparations { try prepare(connection) }
        }
        defer { try? copy.blocking.close() }
        try copy.blocking.writeWithoutTransaction { try $0.deserialize(bytes) }
        let snapshot = try copy.blocking.snapshot()
        try Self(snapshot: snapshot, database: copy, world: world).check()
        try snapshot.close()
    }

    /// Checks that the snapshot has what the database has.
    func check() throws {
        let plain = try world.connection(":memory:", .create)
        defer { plain.close() }
        let expected = try (Self.additions(plain), database.blocking.read { try (Self.files($0), Self.content($0)) })
        let prepared = expected.0
        let (files, content) = expected.1
        try snapshot.blocking.read { connection in
            try require(world.rows(of: connection), equals: world.model, "rows of a new snapshot")
            let missing = try Set(prepared).subtracting(Self.additions(connection))
            try require(missing.isEmpty, "a snapshot does not have \(missing.sorted())")
            try require(Self.files(connection), equals: files, "files of a snapshot")
            try require(Self.content(connection), equals: content, "content of a snapshot")
            for part in world.parts {
                // Some oracles write into an index to check it.
                do { try part.check(connection, world.model) } catch ResultCode.readOnly {}
            }
        }
    }

    /// The functions, collations and virtual tables that a connection has beside those of SQLite.
    private static func additions(_ connection: Connection) throws -> [String] {
        try connection.query(
            """
            SELECT 'function ' || name || ' of ' || narg FROM pragma_function_list WHERE NOT builtin
            UNION SELECT 'collation ' || name FROM pragma_collation_list UNION SELECT 'module ' || name FROM pragma_module_list
            """)
    }

    private static func files(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY name")
    }

    /// The rows of all objects, also of those in attached files.
    private static func content(_ connection: Connection) throws -> [String] {
        var texts = try UsedCopy.content(of: connection)
        for file in try files(connection) where file != "main" {
            let tables: [String] = try connection.query(
                "SELECT name FROM \(name: file).sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY 1"
            )
            for table in tables {
                let count: Int = try connection.query("SELECT count(*) FROM \(name: file).\(name: table)")
                texts.append("\(file).\(table): \(count)")
            }
        }
        return texts
    }
}
