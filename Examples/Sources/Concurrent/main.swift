// Lets 64 tasks read and write one database at the same time: `swift run Concurrent`. It runs for ten seconds, or for the
// number of seconds given as argument.

import ExampleSupport
import Foundation
import Squall

let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10

await runExample {
    let bank = try await Bank("bank.db")
    let end = ContinuousClock.now + .seconds(seconds)
    let all = await manyTasks(64) { await use(bank, until: end) }

    print("\(Int(Double(all.reads.count) / seconds)) reads a second, \(percentiles(all.reads))")
    print("\(Int(Double(all.writes.count) / seconds)) writes a second, \(percentiles(all.writes))")
    let statistics = bank.database.statistics
    print("\(statistics.readers) readers, \(statistics.waits) waits, \(statistics.cacheMisses) statements prepared")
    try await bank.database.close()
    print("\(all.errors) errors")
}
