import GRDB
import Squall

extension Growth {
    /// A number of look-ups, divided among more and more threads, each of which has a connection on the C side.
    static let readers: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "readers", "Connections that read, a thread each", quantity: "threads", operation: "look-up by key")
        let path = try fixtures.cars()
        let keys = keys(32_768, upTo: 100_000)
        for threads in [1, 2, 4, 8, 16, 32, 64] {
            let databases = try Databases(path, maximumReaders: threads)
            let c = try (0..<threads).map { _ in try CReader(path) }
            func time(_ price: @escaping @Sendable (_ thread: Int, _ key: Int) throws -> Int) throws -> UInt64 {
                try Growth.time {
                    _ = try onThreads(threads) { thread in
                        let share = keys.count / threads
                        return try keys[thread * share..<(thread + 1) * share].reduce(0) { try $0 &+ price(thread, $1) }
                    }
                }
            }
            try panel.measure(
                threads, operations: keys.count, rounds: rounds,
                [
                    .c: { try time { try c[$0].price($1) } },
                    .squall: { try time { try databases.squall.price($1) } },
                    .grdb: { try time { try databases.grdb.price($1) } },
                ])
        }
        return panel
    }
}
