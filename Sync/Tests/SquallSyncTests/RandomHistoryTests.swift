import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Random writes of a hub and its devices, over connections that lose and repeat messages.
///
/// In the end, all have the rows of the hub. A row of `marks`, which no one changes and no constraint forbids, is in all of them if its commit was
/// acknowledged anywhere.
@Suite(.timeLimit(.minutes(5))) struct RandomHistoryTests {
    static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SQUALL_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["SQUALL_ROUNDS"].flatMap { UInt64($0) } ?? 12
        return first..<first + count
    }()

    @Test(arguments: seeds) func allAreEqualInTheEnd(_ seed: UInt64) async throws {
        var random = Numbers(seed)
        let policy: SyncLog.Policy = [.hubWins, .replicaWins, .resolve { _ in .replica }][random.below(3)]
        let world = try await SyncWorld(devices: 5, conflicts: policy)
        let databases = [world.hub.database] + world.devices.map(\.database)
        var marks: Set<String> = []
        for step in 0..<120 {
            let index = random.below(databases.count)
            let id = "\(seed)-\(step)"
            switch random.below(10) {
            case 0: world.paths[random.below(world.paths.count)].isOffline.toggle()
            case 1...3 where index > 0:
                let path = world.paths[index - 1]
                for _ in 0..<random.below(3) { path.fail([.lost, .answerLost, .repeated][random.below(3)]) }
                do { try await world.devices[index - 1].now() } catch is Wire.Cut {}
            case 4:
                // A statement that commits by itself.
                try await databases[index].writeWithoutTransaction {
                    try $0.run("INSERT INTO marks VALUES(\(id), \(index))")
                }
                marks.insert(id)
            default:
                let statements = (0...random.below(3)).map { _ in statement(&random, id) }
                let fails = random.below(6) == 0
                do {
                    try await databases[index].write { connection in
                        try connection.run("INSERT INTO marks VALUES(\(id), \(index))")
                        for sql in statements { try? connection.run(sql) }
                        if fails { throw Failed() }
                    }
                    marks.insert(id)
                } catch is Failed {}
            }
        }
        for path in world.paths { path.repair() }
        // The second round brings to all what the others have sent.
        for _ in 0..<2 { for device in world.devices { try await device.now() } }
        for device in world.devices {
            #expect(try await device.now().sent == 0)
            #expect(try await device.audit() == nil)
        }
        for table in ["lists", "items", "marks"] {
            let rows = try await world.hub.database.rows(table)
            for device in world.devices { #expect(try await device.database.rows(table) == rows) }
        }
        let kept: Set<String> = try await Set(
            world.hub.database.read { try $0.query("SELECT id FROM marks") as [String] })
        #expect(kept == marks)
        #expect(try await world.hub.database.read { try $0.query("PRAGMA foreign_key_check") as [String] } == [])
    }

    private struct Failed: Error {}

    private func statement(_ random: inout Numbers, _ id: String) -> SQL {
        let (list, other, n) = ("l\(random.below(6))", "l\(random.below(6))", random.below(1_200))
        return switch random.below(9) {
        case 0: "INSERT INTO lists VALUES(\(list), \(other), \(id))"
        case 1: "INSERT OR REPLACE INTO lists VALUES(\(list), \(list), \(id))"
        case 2: "UPDATE lists SET note = \(id) WHERE id = \(list)"
        case 3: "UPDATE lists SET name = \(id) WHERE id = \(list)"
        case 4: "DELETE FROM lists WHERE id = \(list)"
        case 5, 6: "INSERT INTO items VALUES(\(id) || \(n % 3), \(list), 'x', \(n))"
        case 7: "UPDATE items SET n = n + \(n), list = \(other) WHERE list = \(list)"
        default: "DELETE FROM items WHERE n % 5 = \(n % 5)"
        }
    }
}

/// Numbers that a seed repeats.
struct Numbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((value ^ value >> 31) % UInt64(limit))
    }
}
