import Foundation
import LaboratorySupport

// Runs the SQL of SQLite's own test scripts through Squall and through C: equal rows, equal errors.
//
//     Corpora folder

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "script" {
    try Comparison.runChild(URL(fileURLWithPath: CommandLine.arguments[2]))
    exit(0)
}
guard CommandLine.arguments.count == 2 else {
    print("usage: Corpora folder-of-test-scripts")
    exit(2)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let scratch = try ScratchFolder()
var lane = Lane("corpora")
lane.run("SQLite's own tests") { try Comparison.run(folder, in: scratch) }
print(lane.summary)
scratch.remove()
exit(lane.exitStatus)
