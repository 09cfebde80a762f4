import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

@Suite(.timeLimit(.minutes(2))) struct CompactTests {
    private func entries(_ hub: SyncHub) async throws -> [Int] {
        try await hub.database.read {
            try $0.query("SELECT sequence FROM squall_sync_log WHERE length(changes) > 0 ORDER BY sequence")
        }
    }

    @Test func theLogHasAtMostSomeBytes() async throws {
        let world = try await SyncWorld(devices: 2)
        let hub = world.hub
        for device in world.devices { try await device.now() }
        for number in 0..<10 {
            try await hub.database.run("INSERT INTO lists VALUES(\(number), \(number), printf('%1000d', 1))")
        }
        try await world.devices[0].now()
        try await hub.compact(keepingBytes: 3_500)
        // The last three have 1,000 bytes each; those before them are one.
        #expect(try await entries(hub).suffix(3) == [8, 9, 10])
        #expect(try await entries(hub).count == 4)
        try await world.devices[1].database.run("INSERT INTO lists VALUES('own', 'own', NULL)")
        for device in world.devices {
            try await device.now()
            #expect(try await device.database.rows("lists") == hub.database.rows("lists"))
        }
        #expect(try await hub.database.rows("lists").count == 11)
        try await hub.compact(keepingBytes: 0)
        #expect(try await entries(hub).count == 2)
        for device in world.devices { #expect(try await device.now().sent == 0) }
    }

    @Test func theLogHasEntriesOfSomeTime() async throws {
        let world = try await SyncWorld(devices: 1)
        let hub = world.hub
        let day = 86_400.0
        for number in 0..<6 {
            try await hub.database.run("INSERT INTO lists VALUES(\(number), \(number), NULL)")
            try await hub.compact(
                keepingBytes: .max, age: .seconds(3 * day),
                now: Date(timeIntervalSince1970: 1_000_000 + Double(number) * day))
        }
        // At the last call, the entry of three days before, and those before it, are old.
        #expect(try await entries(hub) == [3, 4, 5, 6])
        // A clock that goes back combines nothing more.
        try await hub.compact(keepingBytes: .max, age: .seconds(day), now: Date(timeIntervalSince1970: 0))
        #expect(try await entries(hub) == [3, 4, 5, 6])
        try await world.devices[0].now()
        #expect(try await world.devices[0].database.rows("lists").count == 6)
    }
}
