import Foundation

// Changes lines of the library, one at a time, and counts the changes that the tests notice.
//
//     Mutation [--count 200] [--seed 1] [--list]
//
// All mutants are compiled at once, behind a switch. A run that was ended goes on where it stopped.

var (count, seed, isList) = (200, UInt64(1), false)
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--count": count = arguments.popFirst().flatMap { Int($0) } ?? count
    case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
    case "--list": isList = true
    default:
        print("usage: Mutation [--count n] [--seed n] [--list]")
        exit(2)
    }
}

let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
let root = package.deletingLastPathComponent().deletingLastPathComponent()
do {
    let explanations = try Explanations(contentsOf: package.appending(path: "Explained.txt"))
    let copy = MutatedCopy(root: root, folder: package.appending(path: ".build/mutated"))
    if isList {
        let mutants = MutantChoice(seed: seed).choose(count, from: try MutatedCopy.candidates(in: root))
        for mutant in mutants { print(mutant.description) }
        exit(0)
    }
    let run = try MutationRun(copy: copy, seed: seed, count: count)
    try run.run()
    exit(MutationReport(run, explanations).printed() ? 0 : 1)
} catch {
    print(error)
    exit(1)
}
