import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunTests {
    /// Waits until a device has a value.
    private func wait(for device: SyncEngine, _ sql: SQL, _ value: String) async throws {
        for await _ in device.database.changes(in: .table("lists")) {
            if try await device.database.read({ try $0.query(sql) as String? }) == value { return }
        }
    }

    private func runs(_ device: SyncEngine) -> Task<Void, any Error> { Task { try await device.run() } }

    @Test func commitsGoToTheOthers() async throws {
        let world = try await SyncWorld(devices: 2)
        let (one, two) = (world.devices[0], world.devices[1])
        let tasks = [runs(one), runs(two)]
        defer { for task in tasks { task.cancel() } }
        async let arrived: Void = wait(for: two, "SELECT note FROM lists", "one")
        try await one.database.run("INSERT INTO lists VALUES('a', 'A', 'one')")
        try await arrived
        async let back: Void = wait(for: one, "SELECT note FROM lists", "hub")
        try await world.hub.database.run("UPDATE lists SET note = 'hub'")
        try await back
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
    }

    @Test func aDeviceThatWasOfflineGoesOn() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        world.paths[0].isOffline = true
        let task = runs(device)
        defer { task.cancel() }
        try await device.database.run("INSERT INTO lists VALUES('a', 'A', 'x')")
        var seen: [String] = []
        for await state in device.states {
            switch state {
            case .waiting(_, let error):
                #expect(error is Wire.Cut)
                seen.append("waiting")
                world.paths[0].isOffline = false
            case .sending(let count): seen.append("sending \(count)")
            case .upToDate: seen.append("upToDate")
            default: break
            }
            if seen.last == "upToDate" { break }
        }
        #expect(seen.first == "sending 1" && seen.contains("waiting"))
        #expect(try await world.hub.database.rows("lists").count == 1)
    }

    @Test func aDatabaseThatIsClosedEndsIt() async throws {
        let world = try await SyncWorld(devices: 1)
        let task = runs(world.devices[0])
        for await state in world.devices[0].states { if case .upToDate = state { break } }
        try await world.devices[0].database.close()
        _ = await task.result
    }

    @Test func anotherVersionIsAState() async throws {
        let hub = try await SyncHub(try await SyncWorld.database(), version: 2) { SyncTable("lists") }
        let database = try await SyncWorld.database()
        let device = try await SyncEngine(
            database, transport: hub.transport(for: SyncPrincipal(user: "ada")), version: 1
        ) { SyncTable("lists") }
        let task = runs(device)
        defer { task.cancel() }
        for await state in device.states {
            guard case .needsMigration(let version) = state else { continue }
            #expect(version == 2)
            break
        }
    }

    /// Of calls at once, each has a round of its own, and one that is cancelled while it waits ends.
    @Test func roundsFollowEachOther() async throws {
        let world = try await SyncWorld(devices: 1)
        let device = world.devices[0]
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await device.database.run("INSERT INTO lists VALUES(\(number), \(number), NULL)")
                    return try await device.now().sent
                }
            }
            var sent = 0
            for try await count in group { sent += count }
            #expect(sent == 20)
        }
        #expect(try await world.hub.database.rows("lists").count == 20)
        let waiting = Task { try await device.now() }
        waiting.cancel()
        _ = await waiting.result
        #expect(try await device.now().sent == 0)
    }
}
