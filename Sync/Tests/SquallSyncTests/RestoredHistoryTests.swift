import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random writes of a hub and devices whose files are restored from backups, and copied.
///
/// In the end, all have the rows of the hub. Each change that a device has made, and that is still in its file, is at the hub: if files of devices or
/// of the hub were restored, not both.
@Suite(.timeLimit(.minutes(5))) struct RestoredHistoryTests {
    private struct Device {
        var database: Database
        var engine: SyncEngine
        /// The rows that were made here and are in the file.
        var marks: Set<String>
        var backup: (path: String, marks: Set<String>)?
    }

    @Test(arguments: RandomHistoryTests.seeds) func nothingIsLost(_ seed: UInt64) async throws {
        var random = Numbers(seed &* 31)
        let (restoresDevices, restoresHub) = (seed % 3 != 1, seed % 3 != 2)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files = 0
        func newPath() -> String {
            files += 1
            return folder.appending(path: "\(files).db").path
        }
        let exchange = Exchange()
        func openHub(_ path: String) async throws {
            let database = try Database(path, configuration: .recommended)
            try await database.run(SyncWorld.schema)
            exchange.hub = try await SyncHub(database) {
                SyncTable("lists")
                SyncTable("items")
                SyncTable("marks")
            }
        }
        try await openHub(newPath())
        func open(_ path: String, _ marks: Set<String>) async throws -> Device {
            let database = try Database(path, configuration: .recommended)
            try await database.run(SyncWorld.schema)
            let engine = try await SyncWorld.device(ExchangeTransport(exchange: exchange), in: database)
            return Device(database: database, engine: engine, marks: marks)
        }
        func copy(_ database: Database) async throws -> String {
            let path = newPath()
            try await database.writeWithoutTransaction { try $0.execute("VACUUM INTO \(path)") }
            return path
        }
        var devices: [Device] = []
        for _ in 0..<3 { devices.append(try await open(newPath(), [])) }
        var hubBackup: String?
        for step in 0..<120 {
            let (index, id) = (random.below(devices.count), "\(seed)-\(step)")
            switch random.below(16) {
            case 0...4: try await devices[index].engine.now()
            case 5: devices[index].backup = (try await copy(devices[index].database), devices[index].marks)
            case 6 where restoresDevices:
                guard let backup = devices[index].backup else { continue }
                try await devices[index].database.close()
                devices[index] = try await open(backup.path, backup.marks)
            case 7 where restoresDevices && devices.count < 6:
                devices.append(try await open(copy(devices[index].database), devices[index].marks))
            case 8: hubBackup = try await copy(#require(exchange.hub).database)
            case 9 where restoresHub:
                guard let path = hubBackup else { continue }
                hubBackup = nil
                try await exchange.hub?.database.close()
                try await openHub(path)
            case 10:
                try await exchange.hub?.database.run("INSERT INTO marks VALUES(\(id), 0)")
            default:
                let list = "l\(random.below(4))"
                try await devices[index].database.write { connection in
                    try connection.run("INSERT INTO marks VALUES(\(id), \(index))")
                    try connection.run("INSERT OR REPLACE INTO lists VALUES(\(list), \(id), NULL)")
                }
                devices[index].marks.insert(id)
            }
        }
        for index in devices.indices {
            try await devices[index].database.run("INSERT INTO marks VALUES('last ' || \(index), 0)")
            devices[index].marks.insert("last \(index)")
        }
        for _ in 0..<2 { for device in devices { try await device.engine.now() } }
        let hub = try #require(exchange.hub).database
        let kept: Set<String> = try await Set(hub.read { try $0.query("SELECT id FROM marks") as [String] })
        for device in devices {
            #expect(try await device.engine.now().sent == 0)
            #expect(try await device.engine.audit() == nil)
            for table in ["lists", "marks"] { #expect(try await device.database.rows(table) == hub.rows(table)) }
            if !restoresDevices || !restoresHub { #expect(device.marks.subtracting(kept) == []) }
        }
        #expect(Set(devices.map(\.engine.origin)).count == devices.count)
        for device in devices { try await device.database.close() }
    }
}
