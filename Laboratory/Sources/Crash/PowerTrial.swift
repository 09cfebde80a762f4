import FaultInjection
import Foundation
import LaboratorySupport
import Squall

/// The power is cut at random operations of a recorded piece of work, and the files that can be left are opened.
///
/// Each round continues with the files of one of the cuts, so that its record begins with their recovery, which a cut can end
/// too.
struct PowerTrial {
    let configuration: CrashConfiguration
    /// Whether a deletion of the journal can be undone, as on a file system that writes its folders later.
    let undoesDeletions: Bool
    let roundCount: Int
    let cutCount: Int
    let seed: UInt64

    private static let modes = [
        power_loss_drops_all, power_loss_keeps_prefix, power_loss_reorders, power_loss_tears,
    ]
    private static let batchesOfRound = 8
    /// The beginning of a violation that names a cut.
    static let cutPrefix = "round "

    /// The number of power cuts that the trial makes.
    var pointCount: Int { roundCount * cutCount * Self.modes.count }

    /// The arguments of the child process, which the path of its folder follows.
    var arguments: [String] {
        ["power", configuration.rawValue, "\(undoesDeletions)", "\(roundCount)", "\(cutCount)", "\(seed)"]
    }

    init(_ configuration: CrashConfiguration, undoesDeletions: Bool, rounds: Int, cuts: Int, seed: UInt64) {
        self.configuration = configuration
        self.undoesDeletions = undoesDeletions
        roundCount = rounds
        cutCount = cuts
        self.seed = seed
    }

    init?(_ arguments: [String]) {
        guard arguments.count == 7, let configuration = CrashConfiguration(rawValue: arguments[1]),
            let rounds = Int(arguments[3]), let cuts = Int(arguments[4]), let seed = UInt64(arguments[5])
        else { return nil }
        self.init(configuration, undoesDeletions: arguments[2] == "true", rounds: rounds, cuts: cuts, seed: seed)
    }

    /// Runs all rounds in this process, and reports a point for each cut.
    func runChild(_ scratch: ScratchFolder) async throws {
        guard power_loss_install() == 0 else { throw PowerError(description: "the VFS cannot be registered") }
        var generator = SeededGenerator(seed: seed)
        var folder = try scratch.emptyFolder("work-0")
        let database = try configuration.open(folder)
        try await database.write { try Batches.create($0) }
        try await database.close()
        for round in 1...roundCount {
            let base = try await work(folder)
            folder = try cutPower(base, round, scratch, &generator)
        }
        Report().end()
    }

    private func work(_ folder: String) async throws -> [Int] {
        power_loss_begin(folder)
        let database = try configuration.open(folder)
        let base = try await database.read { try Batches.totals($0) }
        let work = try await makeWork(database)
        await work.run(Self.batchesOfRound)
        try await database.close()
        power_loss_end()
        return base
    }

    private func makeWork(_ database: Database) async throws -> CrashWork {
        try CrashWork(
            database, acknowledge: { power_loss_acknowledge(Int32($0), Int32($1)) }, report: { Report().violation($0) })
    }

    /// Cuts the power at some operations, each time in every mode.
    ///
    /// - Returns: The folder of the next round: the files of one of the cuts.
    private func cutPower(
        _ base: [Int], _ round: Int, _ scratch: ScratchFolder, _ generator: inout SeededGenerator
    ) throws -> String {
        let operationCount = power_loss_operation_count()
        for cut in 0..<cutCount {
            let operations = Int64.random(in: 0...operationCount, using: &generator)
            for mode in Self.modes {
                Report().point()
                let folder = try scratch.emptyFolder("cut")
                let seed = generator.next()
                try write(folder, operations, mode, seed)
                let problems = problems(folder, base, operations)
                for problem in problems {
                    let place = "cut \(cut) after \(operations) operations, mode \(mode.rawValue)"
                    Report().violation("\(Self.cutPrefix)\(round), \(place): \(problem)")
                }
            }
        }
        let next = try scratch.emptyFolder("work-\(round)")
        let operations = Int64.random(in: operationCount / 2...operationCount, using: &generator)
        try write(next, operations, power_loss_tears, generator.next())
        return next
    }

    private func write(_ folder: String, _ operations: Int64, _ mode: power_loss_mode, _ seed: UInt64) throws {
        let code = power_loss_write_files(folder, operations, mode, undoesDeletions ? 1 : 0, seed)
        if code != 0 { throw PowerError(description: "the files cannot be written: \(code)") }
    }

    private func problems(_ folder: String, _ base: [Int], _ operations: Int64) -> [String] {
        do {
            let connection = try Connection("\(folder)/main.db", mode: .existing, configuration: .sqlite)
            defer { connection.close() }
            var problems = try Batches.problems(connection, isComplete: true)
            let durable = durableOperations(operations)
            for (writer, total) in try Batches.totals(connection).enumerated() {
                let known = acknowledged(operations, writer, base)
                let least = acknowledged(durable, writer, base)
                if total < least {
                    problems.append("writer \(writer) has \(total) batches, and \(least) of \(known) must be left")
                }
                if total > known + 1 { problems.append("writer \(writer) has written \(total), after \(known)") }
            }
            return problems
        } catch {
            return ["\(error)"]
        }
    }

    private func acknowledged(_ operations: Int64, _ writer: Int, _ base: [Int]) -> Int {
        max(base[writer], Int(power_loss_acknowledged(operations, Int32(writer))))
    }

    /// Returns the number of operations whose acknowledged batches must be left.
    private func durableOperations(_ operations: Int64) -> Int64 {
        guard configuration.isDurable else { return 0 }
        // In DELETE mode, the deletion of the journal is the commit. SQLite flushes the folder after it with EXTRA, but not with
        // FULL, as its manual says: the last commit, of one or several batches, can then be lost.
        return configuration == .deleteFull && undoesDeletions ? power_loss_kept_operations(operations) : operations
    }
}

struct PowerError: Error, CustomStringConvertible {
    let description: String
}
