import SquallChanges
import Foundation
import Squall
import SquallSearch
import SquallSQLite
import SquallTestSupport
import Testing

/// Features that SQLite may have been built without: each is a typed error that tells the cure, and the connection remains usable.
struct SQLiteFeatureTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes VALUES(1, 'one')")
    }

    /// Expects an error of a kind with a hint that names an option of SQLite, and that nothing else has changed.
    private func expect(_ kind: SQLiteError.Kind, naming option: String, _ attempts: [() throws -> Void]) throws {
        for (index, attempt) in attempts.enumerated() {
            let error = try sqliteError(attempt)
            #expect(error.kind == kind, "attempt \(index): \(error)")
            #expect(error.resultCode == .error, "attempt \(index)")
            #expect(error.hint?.contains(option) == true, "attempt \(index): \(error)")
            #expect(try connection.query("SELECT text FROM notes") == "one")
            #expect(!connection.isInTransaction)
            #expect(try connection.tableNames() == ["notes"])
        }
    }

    // MARK: The library of the run

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    @Test(.enabled(if: environment("SQUALL_SQLITE") != nil, "SQUALL_SQLITE names no version"))
    func theLibraryIsTheOneThatTheRunNames() throws {
        #expect(try connection.query("SELECT sqlite_version()") == Self.environment("SQUALL_SQLITE"))
        #expect(SQLiteLibrary.version == Self.environment("SQUALL_SQLITE"))
    }

    @Test(.enabled(if: environment("SQUALL_SQLITE_HEADERS") != nil, "SQUALL_SQLITE_HEADERS names no version"))
    func theHeadersAreThoseThatTheRunNames() {
        #expect(SQLITE_VERSION == Self.environment("SQUALL_SQLITE_HEADERS"))
    }

    @Test func theVersionIsSupported() throws {
        #expect(SQLiteFeatures.version >= 3_040_001)
        #expect(SQLITE_VERSION_NUMBER >= 3_040_001)
        #expect(try connection.query("SELECT sqlite_version()") == SQLiteLibrary.version)
    }

    @Test func optionsAreThoseOfTheLibrary() throws {
        let options: [String] = try connection.query("PRAGMA compile_options")
        #expect(options.contains { $0.hasPrefix("THREADSAFE=") })
        for option in options {
            #expect(SQLiteLibrary.has(option), "\(option)")
            #expect(SQLiteLibrary.has("SQLITE_" + option), "\(option)")
        }
        #expect(!SQLiteLibrary.has("THREADSAFE=0") && !SQLiteLibrary.has("NOTHING"))
    }

    // MARK: Full-text search

    @Test(.disabled(if: SQLiteFeatures.fullTextSearch)) func fullTextSearchIsMissing() throws {
        let table = SearchTableDefinition("found", of: .init(table: "notes", rowID: "id"), columns: "text")
        try expect(
            .libraryLacks(.fullTextSearch), naming: "SQLITE_ENABLE_FTS5",
            [
                { try connection.create(table) },
                { try connection.execute("CREATE VIRTUAL TABLE found USING FTS5(text)") },
                { try Schema("s") { Version(1) { CreateSearchTable(table) } }.migrate(connection) },
                { try connection.addTokenizer("t") { _, _, _ in } },
                { try connection.addCJKTokenizer() },
                { try connection.addRankingFunction("r") { _ in 1 } },
                { try connection.addSearchFunction("f") { _ in 1 } },
            ])
    }

    /// A file whose schema has a table of a module that this library does not have.
    private func file(_ module: String) throws -> (TemporaryDirectory, Connection) {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let writer = try Connection(path, configuration: .sqlite)
        try writer.execute(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes VALUES(1, 'one');
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema VALUES
                ('table', 'found', 'found', 0, 'CREATE VIRTUAL TABLE found USING \(raw: module)')
            """)
        writer.close()
        return (directory, try Connection(path))
    }

    @Test(.disabled(if: SQLiteFeatures.fullTextSearch && SQLiteFeatures.spatialTables))
    func theOtherTablesOfAFileAreUsed() throws {
        for (module, isThere, kind) in [
            ("fts5(text)", SQLiteFeatures.fullTextSearch, SQLiteError.Kind.libraryLacks(.fullTextSearch)),
            ("rtree(id, x0, x1)", SQLiteFeatures.spatialTables, .libraryLacks(.spatialTables)),
        ] where !isThere {
            let (directory, connection) = try file(module)
            #expect(try errorKind { try connection.run("SELECT * FROM found") } == kind)
            #expect(try errorKind { try connection.run("DROP TABLE found") } == kind)
            try connection.run("INSERT INTO notes VALUES(2, 'two')")
            #expect(try connection.query("SELECT count(*) FROM notes") == 2)
            #expect(try connection.tableNames() == ["found", "notes"])
            #expect(try connection.tableInfo("notes") != nil)
            #expect(try connection.quickCheck() == [])
            try Schema("s") { Version(1) { AlterTable("notes") { AddColumn("at", Int?.self) } } }.migrate(connection)
            #expect(try connection.query("SELECT count(at) FROM notes") == 0)
            withExtendedLifetime(directory) {}
        }
    }

    // MARK: R*Tree

    @Test(.disabled(if: SQLiteFeatures.spatialTables)) func spatialTablesAreMissing() throws {
        let table = SpatialTable("found", dimensions: "x")
        try expect(
            .libraryLacks(.spatialTables), naming: "SQLITE_ENABLE_RTREE",
            [
                { try connection.create(table) },
                { try connection.execute("CREATE VIRTUAL TABLE found USING rtree_i32(id, x0, x1)") },
                { try connection.addSpatialFunction("f") { { _ in .outside } } },
            ])
    }

    // MARK: Changes

    @Test(.disabled(if: SQLiteFeatures.sessions)) func sessionsAreMissing() throws {
        let database = try Database.temporary()
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        }
        let empty = Changeset(Data())
        try expect(
            .libraryLacks(.sessions), naming: "SQLITE_ENABLE_SESSION",
            [
                { _ = try connection.startRecording() },
                { _ = try connection.recordChanges { try $0.run("DELETE FROM notes") } },
                { _ = try UndoHistory(database) },
                { _ = try empty.inverted() },
                { _ = try Changeset(combining: [empty, empty]) },
                { try connection.apply(empty) },
            ])
    }

    @Test(.disabled(if: SQLiteFeatures.preUpdateHook)) func thePreUpdateHookIsMissing() throws {
        let database = try Database.temporary()
        try expect(
            .libraryLacks(.preUpdateHook), naming: "SQLITE_ENABLE_PREUPDATE_HOOK",
            [
                { _ = try connection.addPreUpdateObserver { _ in } },
                { _ = try database.addPreUpdateObserver { _ in } },
            ])
    }

    /// Without the hook, any column may have changed.
    @Test(.disabled(if: SQLiteFeatures.preUpdateHook)) func observersWorkWithoutThePreUpdateHook() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        var values = database.observe("SELECT coalesce(sum(a), 0) FROM t", as: Int.self).makeAsyncIterator()
        #expect(try await values.next() == 1)
        try await database.write { try $0.run("UPDATE t SET a = 2") }
        #expect(try await values.next() == 2)
        try await database.write { try $0.run("DELETE FROM t") }
        try await database.write { try $0.run("INSERT INTO t VALUES(3)") }
        while let sum = try await values.next(), sum != 3 {}
        var changed: [String] = []
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
        connection.addUpdateObserver { _, _, table, _ in changed.append(table ?? "") }
        try connection.run("INSERT INTO t VALUES(1)")
        #expect(changed == ["t"])
    }

    // MARK: Extensions

    @Test(.disabled(if: SQLiteFeatures.extensionLoading)) func theLoadingOfExtensionsIsMissing() throws {
        try expect(
            .libraryLacks(.extensionLoading), naming: "SQLITE_OMIT_LOAD_EXTENSION",
            [{ try connection.loadExtension("libm.so.6") }])
    }

    // MARK: Limits and threads

    /// SQLite's own limit is 32,766 variables, and Debian's 250,000.
    @Test func moreParametersThanVariables() throws {
        let limit = Int(connection.limits[.variables])
        #expect(limit >= 32_766)
        let error = try sqliteError { try connection.run("SELECT ?\(raw: "\(limit + 1)")") }
        #expect(error.message == "variable number must be between ?1 and ?\(limit)")
        #expect(try connection.query("SELECT count(*) FROM notes WHERE id IN \(in: 0..<40_000)") == 1)
        #expect(try connection.query("SELECT text FROM notes") == "one")
    }

    @Test func theLibraryHasThreads() {
        #expect(sqlite3_threadsafe() == 1 || sqlite3_threadsafe() == 2)
    }
}
