import SquallChanges
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Random tables and writes, under the limits of SQLite and under those of `Configuration.untrusted`: both have the same outcome.
@Suite(.enabled(if: SQLiteFeatures.sessions && SQLiteFeatures.fullTextSearch && SQLiteFeatures.spatialTables))
struct TightLimitPropertyTests {
    /// The declarations of a round.
    private struct Layout {
        let keys: [String]
        let columns: [String]
        let schema: String
        let searchColumns: [String]
        let dimensions: Int

        init(_ random: inout SeededGenerator) {
            keys = (0..<Int.random(in: 1...16, using: &random)).map { "k\($0)" }
            columns = (0..<Int.random(in: 1...60, using: &random)).map { "c\($0)" }
            searchColumns = Array(columns.prefix(Int.random(in: 1...60, using: &random)))
            dimensions = Int.random(in: 1...4, using: &random)
            let keyList = keys.joined(separator: ", ")
            // The actions of longer foreign keys are expressions of SQLite that are too deep.
            let parent =
                keys.count > 4 ? "" : ", FOREIGN KEY(\(keyList)) REFERENCES wide ON DELETE SET NULL ON UPDATE CASCADE"
            let definitions = (keys.map { "\($0) TEXT" } + columns).joined(separator: ", ")
            schema = """
                CREATE TABLE wide(\(definitions), PRIMARY KEY(\(keyList)));
                CREATE TABLE child(id INTEGER PRIMARY KEY, stamp INTEGER, \(keys.map { "\($0) TEXT" }.joined(separator: ", "))\(parent));
                CREATE TABLE notes(id INTEGER PRIMARY KEY, stamp INTEGER, \(columns.joined(separator: ", ")));
                """
        }

        func write(_ random: inout SeededGenerator) -> SQL {
            let (number, column) = (Int.random(in: 0..<4, using: &random), random.pick(columns))
            let (value, stamp) = (random.pick(["a", "b b", "c"]), Int.random(in: 0..<1000, using: &random))
            let names = keys.joined(separator: ", ")
            let values = keys.map { _ in "'\(number)'" }.joined(separator: ", ")
            return switch Int.random(in: 0..<8, using: &random) {
            case 0: "INSERT OR IGNORE INTO wide(\(raw: names), \(raw: column)) VALUES(\(raw: values), \(value))"
            case 1: "UPDATE wide SET \(raw: column) = \(value) WHERE \(raw: keys[0]) = '\(raw: "\(number)")'"
            case 2: "DELETE FROM wide WHERE \(raw: keys[0]) = '\(raw: "\(number)")'"
            case 3: "UPDATE OR IGNORE wide SET \(raw: keys[0]) = \(value) WHERE \(raw: keys[0]) = '\(raw: "\(number)")'"
            case 4: "INSERT OR IGNORE INTO child(id, \(raw: names)) VALUES(\(number), \(raw: values))"
            case 5: "INSERT OR REPLACE INTO notes(id, stamp, \(raw: column)) VALUES(\(number), \(stamp), \(value))"
            case 6: "UPDATE notes SET \(raw: column) = \(value), stamp = \(stamp) WHERE id = \(number)"
            default: "DELETE FROM notes WHERE id = \(number)"
            }
        }
    }

    /// The databases of a round.
    private final class World {
        let source: Connection
        let twin: Connection
        let database: Database
        let history: UndoHistory
        let hub: SyncReplica
        let replica: SyncReplica
        let search: SearchTableDefinition
        let boxes: SpatialTable

        init(_ layout: Layout, _ limits: Limits?) throws {
            search = SearchTableDefinition(
                "words", of: .init(table: "notes", rowID: "id"), columns: layout.searchColumns.map { .init($0) })
            boxes =
                switch layout.dimensions {
                case 1: SpatialTable("boxes", dimensions: "x")
                case 2: SpatialTable("boxes", dimensions: "x", "y")
                case 3: SpatialTable("boxes", dimensions: "x", "y", "z")
                default: SpatialTable("boxes", dimensions: "x", "y", "z", "t")
                }
            func connection() throws -> Connection {
                let connection = try Connection()
                try connection.execute("PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON")
                if let limits { connection.limits = limits }
                return connection
            }
            (source, twin) = (try connection(), try connection())
            database = try Database(":memory:", configuration: .recommended)
            if let limits { try database.blocking.writeWithoutTransaction { $0.limits = limits } }
            let (search, boxes) = (search, boxes)
            func make(_ connection: Connection) throws {
                try connection.execute(SQL(raw: layout.schema))
                try connection.create(search)
                try connection.create(boxes)
                try connection.createTriggers(
                    for: boxes, following: "notes", bounds: boxes.dimensions.map { _ in ("stamp", "stamp") })
            }
            try make(source)
            try make(twin)
            try database.blocking.writeWithoutTransaction { try make($0) }
            history = try UndoHistory(database, tables: ["wide", "child", "notes"])
            let tables: [String: SyncLog.Policy] = ["wide": .hubWins, "child": .hubWins, "notes": .hubWins]
            hub = try SyncReplica("hub", role: .hub, schema: layout.schema, tables: tables)
            replica = try SyncReplica("r", role: .replica, schema: layout.schema, tables: tables)
            if let limits { for replica in [hub, replica] { replica.connection.limits = limits } }
        }

        func rows() throws -> [String] {
            func rows(_ connection: Connection) throws -> [String] {
                try ["wide", "child", "notes"].flatMap { table in
                    try connection.query("SELECT * FROM \(name: table)", as: Row.self).map(\.quotedText).sorted()
                }
            }
            return try [source, twin, hub.connection, replica.connection].flatMap(rows)
                + database.blocking.read { try rows($0) }
        }
    }

    private static func outcome(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "done"
        } catch let error as SQLiteError {
            return "\(error)"
        } catch {
            return "\(error)"
        }
    }

    @Test func outcomesAreThoseWithoutLimits() throws {
        let seed = TestSeed.of()
        var done = 0
        for round in 0..<10 {
            var random = seed.generator(round)
            let layout = Layout(&random)
            let worlds = try [World(layout, nil), World(layout, .untrusted)]
            for step in 0..<25 {
                let (kind, sql) = (Int.random(in: 0..<7, using: &random), layout.write(&random))
                let outcomes = worlds.map { world in Self.outcome { try Self.run(kind, sql, world) } }
                #expect(outcomes[0] == outcomes[1], "seed \(seed), round \(round), step \(step)")
                #expect(try worlds[0].rows() == worlds[1].rows(), "seed \(seed), round \(round), step \(step)")
                if outcomes[1] == "done" { done += 1 }
            }
            for world in worlds {
                try world.source.integrityCheck(world.search)
                #expect(try world.source.integrityCheck(of: world.boxes) == [])
            }
        }
        #expect(done > 150)
    }

    private static func run(_ kind: Int, _ sql: SQL, _ world: World) throws {
        switch kind {
        case 0, 1:
            let changes = try world.source.recordChanges(in: "wide", "child", "notes") { try $0.run(sql) }
            try world.twin.apply(changes, options: kind == 0 ? [] : .withoutTriggers)
        case 2:
            let changes = try world.source.recordChanges(in: "wide", "child", "notes") { try $0.run(sql) }
            try world.source.apply(changes, options: [.inverted, .withoutTriggers])
        case 3: try world.history.blocking.write("Step") { try $0.run(sql) }
        case 4: try world.history.blocking.undo()
        case 5: try world.history.blocking.redo()
        default:
            try world.replica.record(sql)
            try world.hub.pull(world.replica)
            try world.replica.pull(world.hub)
        }
    }
}
