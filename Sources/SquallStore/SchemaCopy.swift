import Squall

/// The schema of a database elsewhere, in memory, with the rows that the SQL of a migration depends on.
struct SchemaCopy {
    private struct Entry: Decodable, Sendable {
        let type: String
        let name: String
        let sql: String
    }

    private static let tablesWithRows = ["sqlite_sequence", "sqlite_stat1", "squall_versions"]

    let connection: Connection

    /// - Parameter isOff: Whether the connection has foreign keys off.
    /// - Throws: `SchemaError.damagedSchema(_:)` for a definition that SQLite would not have stored.
    nonisolated(nonsending) init(of source: StoreConnection, withForeignKeysOff isOff: Bool) async throws {
        let entries: [Entry] = try await source.query(SchemaCatalog.definitions)
        connection = try Self.copy(entries, withForeignKeysOff: isOff)
        for table in try copiedTables {
            try insert(try await source.query("SELECT * FROM \(name: table)", as: Row.self), into: table)
        }
        let version: Int = try await source.query("PRAGMA user_version")
        try connection.run("PRAGMA user_version = \(raw: "\(version)")")
    }

    private static func copy(_ entries: [Entry], withForeignKeysOff isOff: Bool) throws -> Connection {
        let connection = try Connection()
        try connection.run("PRAGMA foreign_keys = \(raw: isOff ? "OFF" : "ON")")
        for type in [SchemaCatalog.Entry.Kind.table, .index, .view, .trigger] {
            for entry in entries where entry.type == type.rawValue && !entry.name.hasPrefix("sqlite_") {
                // A virtual table has created the tables that store its rows.
                if try connection.catalog().has(type, named: entry.name) { continue }
                guard Self.isStored(entry.sql, type) else {
                    throw SchemaError.damagedSchema(
                        "the definition of \(type.rawValue) \"\(entry.name)\" is: \(entry.sql)")
                }
                try connection.runSingle(SQL(raw: entry.sql))
            }
        }
        if entries.contains(where: { $0.name == "sqlite_stat1" }) { try connection.run(SchemaCatalog.rereadStatistics) }
        return connection
    }

    /// Returns whether SQLite stores such a text. It stores the columns of `CREATE TABLE … AS SELECT`, never the query, which
    /// would run here.
    private static func isStored(_ sql: String, _ type: SchemaCatalog.Entry.Kind) -> Bool {
        let tokens = SQLTokenizer.tokens(of: sql).prefix(4)
        func begins(_ words: String...) -> Bool {
            tokens.count >= words.count && zip(tokens, words).allSatisfy { $0.is($1) }
        }
        return switch type {
        case .table:
            begins("CREATE", "VIRTUAL", "TABLE") || (begins("CREATE", "TABLE") && tokens.last?.is("(") == true)
        case .index: begins("CREATE", "INDEX") || begins("CREATE", "UNIQUE", "INDEX")
        case .view: begins("CREATE", "VIEW")
        case .trigger: begins("CREATE", "TRIGGER")
        }
    }

    /// The tables whose rows are copied.
    private var copiedTables: [String] {
        get throws {
            try Self.tablesWithRows.filter { try connection.catalog().has(.table, named: $0) }
        }
    }

    private func insert(_ rows: [Row], into table: String) throws {
        for row in rows {
            let values = try row.columns.indices.map { "\(try row.get($0) as BindingValue?)" as SQL }.joined(
                separator: ", ")
            try connection.run("INSERT INTO \(name: table) VALUES(\(values))")
        }
    }
}
