import Foundation
import LaboratorySupport

// Many threads, tasks and processes on one database, for a time; built with the thread sanitizer by `make soak`.

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == BusyStorm.childArgument {
    exit(BusyStorm.runChild(file: arguments[2], count: Int(arguments[3]) ?? 0))
}

let options = LaneOptions()
let scratch = try ScratchFolder()
var lane = Lane("soak")
print("seed \(options.seed)")
let seconds = options.isShort ? 3 : 15
@MainActor func row(_ name: String, _ body: () throws -> (points: Int, violations: [String])) {
    if options.includes(name) { lane.run(name, body) }
}
for suspends in [true, false] {
    for isGrouping in [false, true] {
        let name = (suspends ? "transfers" : "transfers without suspensions") + (isGrouping ? ", group commit" : "")
        row(name) {
            try Transfers(
                file: "\(scratch.path)/transfers-\(suspends)-\(isGrouping).db", seed: options.seed,
                groupsCommits: isGrouping, suspends: suspends
            ).run(seconds: seconds)
        }
    }
}
row("executors that run jobs at once") {
    try InlineExecutors.run(file: "\(scratch.path)/inline.db", count: options.isShort ? 200 : 2_000)
}
row("blocked global queues") { try BlockedQueues.run(file: "\(scratch.path)/blocked.db") }
row("processes that write at once") {
    try BusyStorm.run(in: scratch, processes: 6, count: options.isShort ? 15 : 80)
}
row("file replaced and deleted") {
    try ReplacedFiles.run(in: scratch, rounds: options.isShort ? 3 : 20)
}
row("readers that overlap, limit of the log") {
    try CheckpointStarvation.run(file: "\(scratch.path)/starvation.db", megabytes: options.isShort ? 20 : 200)
}
print(lane.summary)
scratch.remove()
exit(lane.exitStatus)
