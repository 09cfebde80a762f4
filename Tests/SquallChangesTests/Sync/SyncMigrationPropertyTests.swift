import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Databases with logs write, exchange and migrate at random, each at a time of its own. No write is lost, and all become equal.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncMigrationPropertyTests {
    /// A migration of a table, and what the log is told of it.
    private struct Migration {
        let sql: [String]
        var columns: [String: SQL] = [:]
        let oldTable: String
        let table: String
        /// The columns that rows can be written with afterwards.
        let names: [String]
    }

    private struct Migrations {
        var all: [Migration] = []
        var table = "notes"
        var names = ["a", "b"]
        private var number = 0

        mutating func add(_ random: inout SeededGenerator, fillsAtRandom: Bool) {
            number += 1
            let new = "c\(number)"
            let (column, old) = (random.pick(names), table)
            var (sql, columns) = ([String](), [String: SQL]())
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                sql = ["ALTER TABLE \(table) RENAME COLUMN \(column) TO \(new)"]
                columns = [new: SQL(raw: column)]
                names = names.map { $0 == column ? new : $0 }
            case 1:
                sql = ["ALTER TABLE \(table) ADD COLUMN \(new) TEXT NOT NULL DEFAULT 7"]
                names.append(new)
            case 2:
                sql = [
                    "ALTER TABLE \(table) ADD COLUMN \(new)", "UPDATE \(table) SET \(new) = 'of ' || quote(\(column))",
                ]
                columns = [new: "'of ' || quote(\(raw: column))"]
                names.append(new)
            case 3 where names.count > 1:
                sql = ["ALTER TABLE \(table) DROP COLUMN \(column)"]
                names.removeAll { $0 == column }
            case 4:
                sql = ["UPDATE \(table) SET \(column) = length(\(column)) * 2"]
                columns = [column: "length(\(raw: column)) * 2"]
            case 5 where fillsAtRandom:
                sql = ["ALTER TABLE \(table) ADD COLUMN \(new)", "UPDATE \(table) SET \(new) = random()"]
                names.append(new)
            case 6 where fillsAtRandom: sql = ["DELETE FROM \(table) WHERE \(column) IS NULL"]
            case 7: sql = ["INSERT OR IGNORE INTO \(table)(id, stamp) VALUES('made \(number)', 0)"]
            default:
                table = "t\(number)"
                sql = ["ALTER TABLE \(old) RENAME TO \(table)"]
            }
            all.append(Migration(sql: sql, columns: columns, oldTable: old, table: table, names: names))
        }
    }

    private final class Device {
        let connection: Connection
        /// A database without a log, which has the writes and the migrations of this device alone.
        private let twin: Connection
        let origin: String
        let role: SyncLog.Role
        private(set) var log: SyncLog
        private(set) var version = 0
        private(set) var table = "notes"
        private(set) var names = ["a", "b"]

        init(_ origin: String, _ role: SyncLog.Role) throws {
            connection = try Connection()
            twin = try Connection()
            self.origin = origin
            self.role = role
            for connection in [connection, twin] {
                try connection.execute("CREATE TABLE notes(id TEXT PRIMARY KEY, stamp INTEGER, a TEXT, b INTEGER)")
            }
            log = try SyncLog(connection, origin: origin, role: role, tables: ["notes": Self.policy(role)])
        }

        private static func policy(_ role: SyncLog.Role) -> SyncLog.Policy {
            role == .peer ? .lastWriter(by: "stamp") : .hubWins
        }

        func migrate(_ migrations: [Migration]) throws {
            guard version < migrations.count else { return }
            let migration = migrations[version]
            try connection.transaction {
                for sql in migration.sql { try connection.run(SQL(raw: sql)) }
                let old = migration.oldTable == migration.table ? nil : migration.oldTable
                try SyncLog.migrate(
                    migration.table, to: version + 1, from: old, columns: migration.columns, on: connection)
            }
            for sql in migration.sql { try twin.run(SQL(raw: sql)) }
            version += 1
            (table, names) = (migration.table, migration.names)
            log = try SyncLog(
                connection, origin: origin, role: role, tables: [table: Self.policy(role)], version: version)
        }

        func write(_ id: String, _ stamp: Int, _ random: inout SeededGenerator) throws {
            let values: [BindingValue] = [.null, .text("x\(stamp)"), .integer(Int64(stamp)), .text("12"), .text("é")]
            let (column, value) = (random.pick(names), values[Int.random(in: values.indices, using: &random)])
            let sql: SQL =
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: "INSERT OR IGNORE INTO \(name: table)(id, stamp) VALUES(\(id), \(stamp))"
                case 2: "DELETE FROM \(name: table) WHERE id = \(id)"
                default: "UPDATE \(name: table) SET stamp = \(stamp), \(name: column) = \(value) WHERE id = \(id)"
                }
            do {
                try log.record(on: connection) { try $0.run(sql) }
                if id.hasPrefix(origin) { try twin.run(sql) }
            } catch ResultCode.constraint {}
        }

        /// - Returns: The conflicts, or `nil` if the databases have other columns.
        @discardableResult
        func pull(_ other: Device, limit: Int? = nil) throws -> [SyncConflict]? {
            let cursor = try log.cursor(of: other.origin, on: connection)
            let batch = try other.log.changes(since: cursor, limit: limit, on: other.connection)
            do {
                return try log.merge(SyncBatch(batch.data), on: connection).conflicts
            } catch let error as SQLiteError where version != other.version {
                guard error.problem(SyncProblem.self) != nil else { throw error }
                return nil
            }
        }

        func rows() throws -> [String] { try rows(of: connection, like: "%") }

        func rows(of other: Device) throws -> [String] { try rows(of: connection, like: other.origin + "%") }

        func ownRows() throws -> [String] { try rows(of: twin, like: origin + "%") }

        private func rows(of connection: Connection, like id: String) throws -> [String] {
            try connection.query("SELECT * FROM \(name: table) WHERE id LIKE \(id)", as: Row.self).map(\.quotedText)
                .sorted()
        }
    }

    /// Each device alone writes the rows whose keys begin with its name.
    @Test(arguments: 0..<4) func replicas(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let hub = try Device("hub", .hub)
        let replicas = try (1...3).map { try Device("r\($0)", .replica) }
        try run(hub: hub, replicas, fillsAtRandom: false, &random) { conflicts in
            let own = conflicts.filter { !$0.change.description.contains("shared") }
            #expect(own.isEmpty, "seed \(seed)")
        }
        for replica in replicas {
            #expect(try replica.rows() == hub.rows(), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<4) func replicasWithRandomFillings(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let hub = try Device("hub", .hub)
        let replicas = try (1...3).map { try Device("r\($0)", .replica) }
        try run(hub: hub, replicas, fillsAtRandom: true, &random) { _ in }
        for replica in replicas { #expect(try replica.rows() == hub.rows(), "seed \(seed)") }
    }

    @Test(arguments: 0..<4, [false, true]) func peers(_ seed: Int, _ fillsAtRandom: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let peers = try (1...3).map { try Device("p\($0)", .peer) }
        try run(hub: nil, peers, fillsAtRandom: fillsAtRandom, &random) { _ in }
        for peer in peers { #expect(try peer.rows() == peers[0].rows(), "seed \(seed)") }
    }

    /// Runs 300 steps, and lets all exchange at the end.
    private func run(
        hub: Device?, _ devices: [Device], fillsAtRandom: Bool, _ random: inout SeededGenerator,
        checking check: ([SyncConflict]) -> Void
    ) throws {
        var migrations = Migrations()
        let all = devices + [hub].compactMap(\.self)
        for stamp in 1...300 {
            let device = all[Int.random(in: all.indices, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0: if migrations.all.count < 8 { migrations.add(&random, fillsAtRandom: fillsAtRandom) }
            case 1, 2: try device.migrate(migrations.all)
            case 3..<14:
                let isShared = random.chance(30)
                let id = (isShared ? "shared" : device.origin) + "\(Int.random(in: 0..<4, using: &random))"
                try device.write(id, stamp, &random)
            default:
                let other = hub ?? devices[Int.random(in: devices.indices, using: &random)]
                guard device !== other else { continue }
                let (from, to) = hub != nil && random.chance(50) ? (other, device) : (device, other)
                check(try to.pull(from, limit: random.chance(30) ? 1 : nil) ?? [])
            }
        }
        for device in all {
            while device.version < migrations.all.count { try device.migrate(migrations.all) }
        }
        for _ in 0..<3 {
            for device in devices {
                for other in hub.map({ [$0] }) ?? devices where other !== device {
                    check(try other.pull(device) ?? [])
                    check(try device.pull(other) ?? [])
                }
            }
        }
        guard !fillsAtRandom else { return }
        // No write of the only writer of a row was lost, here or elsewhere.
        for device in all {
            for other in all { #expect(try other.rows(of: device) == device.ownRows()) }
        }
    }
}
