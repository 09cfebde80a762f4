import Foundation
import LaboratorySupport

/// `make pairs`: each feature meets each other one, with random steps and an oracle.
@main
struct PairsLane {
    static func main() throws {
        if let process = PairProcess(Array(CommandLine.arguments.dropFirst())) { return try process.run() }
        let options = LaneOptions()
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let runner = PairRunner(options, scratch)
        var lane = Lane("pairs")
        var matrix = Matrix()
        for first in Feature.allCases {
            let pairs = Feature.allCases.drop { $0 != first }.map { Pair(first, $0) }
                .filter { runner.includes($0) }
            if pairs.isEmpty { continue }
            lane.run("\(first)") {
                let outcomes = try runner.run(pairs)
                for (pair, outcome) in zip(pairs, outcomes) { matrix.add(pair, outcome) }
                return (
                    max(1, outcomes.reduce(0) { $0 + $1.stepCount }),
                    zip(pairs, outcomes).compactMap { $1.violation(of: $0) }
                )
            }
        }
        let triples = runner.triples()
        if !triples.isEmpty {
            lane.run("triples") {
                let outcomes = try runner.run(triples)
                let steps = outcomes.reduce(0) { $0 + $1.stepCount }
                return (steps, zip(triples, outcomes).compactMap { $1.violation(of: $0) })
            }
        }
        matrix.write()
        if let summary = runner.tally.summary { writeLine(summary) }
        writeLine(lane.summary)
        scratch.remove()
        exit(lane.exitStatus)
    }
}
