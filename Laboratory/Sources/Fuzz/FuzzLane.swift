import Foundation
import FuzzTargets
import LaboratorySupport

/// The lane `make fuzz`: a process for each target, and the table of the results.
enum FuzzLane {
    /// Runs the lane and ends the process.
    static func main() -> Never {
        var status: Int32 = 1
        do {
            status = try run(Options(ProcessInfo.processInfo.environment))
        } catch {
            print("make fuzz: \(error)")
        }
        fflush(nil)
        // Without the search for leaks, which is for the processes of the targets.
        _exit(status)
    }

    private static func run(_ options: Options) throws -> Int32 {
        let folders = try FuzzFolders(committed: options.corpus, scratch: options.scratch)
        if options.writesSeeds {
            try folders.writeSeeds()
            return 0
        }
        print("make fuzz: \(options.seconds) s for each target, SEED=\(options.seed)")
        var lane = Lane("fuzz")
        for target in FuzzTarget.all where options.includes(target.name) {
            lane.run(target.summary) { try fuzz(target, folders, options) }
            // The table is read while the lane runs, also through a pipe.
            fflush(nil)
        }
        print(lane.summary)
        print(lane.markdown)
        return lane.exitStatus
    }

    /// Fuzzes a target. After a violation the rest of the time is spent with another seed, up to three times.
    private static func fuzz(
        _ target: FuzzTarget, _ folders: FuzzFolders, _ options: Options
    ) throws -> (points: Int, violations: [String]) {
        var (points, violations) = (0, [String]())
        let clock = ContinuousClock()
        let end = clock.now + .seconds(options.seconds)
        var seed = options.seed
        repeat {
            let seconds = max(1, Int((end - clock.now).components.seconds))
            let outcome = try ChildRun(target: target, folders: folders, seconds: seconds, seed: seed).run()
            points += outcome.inputs
            seed &+= 1
            guard let violation = outcome.violation else { break }
            violations.append(violation)
        } while clock.now < end && violations.count < 4
        return (points, violations)
    }

    /// The options of the lane, from the environment.
    struct Options {
        let corpus: URL
        let scratch: URL
        let seconds: Int
        let seed: UInt32
        let writesSeeds: Bool
        private let targets: [String]

        init(_ environment: [String: String]) {
            corpus = URL(fileURLWithPath: environment["SQUALL_FUZZ_CORPUS"] ?? "Corpus")
            scratch = URL(fileURLWithPath: environment["SQUALL_FUZZ_SCRATCH"] ?? ".build-fuzz/fuzz")
            let isShort = environment["SHORT"].map { !$0.isEmpty && $0 != "0" } ?? false
            seconds = environment["SECONDS_EACH"].flatMap { Int($0) } ?? (isShort ? 4 : 120)
            seed = environment["SEED"].flatMap { UInt32($0) } ?? (isShort ? 1 : UInt32.random(in: 1...1_000_000))
            writesSeeds = environment["SEEDS"].map { !$0.isEmpty } ?? false
            targets = (environment["TARGETS"] ?? "").split(separator: ",").map { String($0) }
        }

        func includes(_ name: String) -> Bool { targets.isEmpty || targets.contains(name) }
    }
}
