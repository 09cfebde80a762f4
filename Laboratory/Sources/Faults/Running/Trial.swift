import FaultInjection
import Foundation
import LaboratorySupport
import Squall

/// Runs a scenario again and again, with a fault at another point each time.
final class Trial<S: Scenario> {
    private let scenario: S
    private let scratch: ScratchFolder
    private let template: String
    private let expected: [[String]]
    /// The descriptors and allocations that are left when everything is closed.
    private var level: Level

    /// Prepares the files, and runs the scenario without a fault to learn what must come out.
    init(_ scenario: S, in scratch: ScratchFolder) async throws {
        self.scenario = scenario
        self.scratch = scratch
        template = try scratch.emptyFolder("template")
        let connection = try Connection("\(template)/main.db", configuration: .sqlite)
        try scenario.prepare(connection)
        try connection.execute("CREATE TABLE probe(n INTEGER)")
        connection.close()
        expected = try await Self.expectedContent(scenario, scratch, template)
        level = await Level.settled()
        // What SQLite, Swift and the scenario keep for the rest of the process is allocated by now. A scenario that does
        // not return to its level without a fault would be a leak at every point.
        for _ in 0..<2 {
            level = await Level.settled()
            let (_, problems) = try await run(.oneAllocation, at: .max)
            if let problem = problems.first { throw WrongResult("without a fault: \(problem)") }
        }
    }

    private static func expectedContent(
        _ scenario: S, _ scratch: ScratchFolder, _ template: String
    ) async throws -> [[String]] {
        let folder = try Self.copy(template, in: scratch)
        var expected: [[String]] = []
        let store = try await scenario.open(folder)
        expected.append(try DatabaseContent(of: scenario.files, in: folder).lines)
        for step in scenario.steps {
            try await step.run(store)
            expected.append(try DatabaseContent(of: scenario.files, in: folder).lines)
        }
        try await scenario.close(store)
        return expected
    }

    private static func copy(_ template: String, in scratch: ScratchFolder) throws -> String {
        let folder = try scratch.emptyFolder("trial")
        for file in try FileManager.default.contentsOfDirectory(atPath: template) {
            try FileManager.default.copyItem(atPath: "\(template)/\(file)", toPath: "\(folder)/\(file)")
        }
        return folder
    }

    /// Returns the number of points of a fault.
    func count(_ fault: Fault) async throws -> Int {
        _ = try await run(fault, at: .max)
        return Int(fault_counted())
    }

    /// Runs the scenario with a fault.
    ///
    /// - Returns: Whether a call has failed, and what did not hold.
    func run(_ fault: Fault, at point: Int) async throws -> (isFailed: Bool, problems: [String]) {
        let folder = try Self.copy(template, in: scratch)
        var problems: [String] = []
        var progress = Progress(expected: expected, fault: fault)
        fault.begin(at: point)
        await use(folder, fault, point, &progress, &problems)
        fault_end()
        let isFailed = fault_failed_count() > 0
        do {
            let content = try DatabaseContent(of: scenario.files, in: folder)
            problems += content.problems
            if let problem = scenario.problem(in: content.lines, progress) { problems.append(problem) }
        } catch {
            problems.append("the file cannot be read afterwards: \(error)")
        }
        let (found, difference) = await level.difference()
        if let difference {
            problems.append(difference)
            level = found
        }
        return (isFailed, problems)
    }

    /// Opens the store, runs the steps, uses and closes the store.
    private func use(
        _ folder: String, _ fault: Fault, _ point: Int, _ progress: inout Progress, _ problems: inout [String]
    ) async {
        var place = "open"
        // At every other point, the store is closed while the fault lasts.
        let isClosedDuringFault = point % 2 == 0
        do {
            let store = try await scenario.open(folder)
            for (index, step) in scenario.steps.enumerated() {
                let failedCount = fault_failed_count()
                do {
                    try await step.run(store)
                    progress.completedSteps += 1
                } catch {
                    progress.mayBeCommitted =
                        step.throwsAfterCommit || failedCount == 0 && mayBeCommitted(isClosedDuringFault)
                    note(error, "step \(index + 1)", fault, &problems)
                    break
                }
            }
            do {
                if isClosedDuringFault {
                    place = "close"
                    try await scenario.close(store)
                }
            } catch {
                note(error, place, fault, &problems)
            }
            fault_end()
            do {
                if !isClosedDuringFault {
                    place = "use after the fault"
                    try await scenario.use(store, after: fault)
                    progress.isUsedAfterwards = true
                }
                place = "close after the fault"
                try await scenario.close(store)
            } catch ResultCode.readOnly where failedCall == "open" {
                // The connection stays read-only. The caller opens another one.
                try await scenario.close(store)
            } catch {
                problems.append("\(place): \(error)")
            }
        } catch {
            note(error, place, fault, &problems)
        }
    }

    /// Whether SQLite can have committed a step that has thrown, whose first failed call is the first one of all.
    private func mayBeCommitted(_ isClosedDuringFault: Bool) -> Bool {
        switch scenario.journalMode {
        case .wal:
            // A transaction whose flush has failed is complete in the log. If nothing is written after it, the next process finds
            // it committed. `use` writes to the first file only.
            (isClosedDuringFault || scenario.files.count > 1) && ["fsync", "fdatasync"].contains(failedCall)
        default:
            // SQLite reports a failure to go back to the read lock as one of the COMMIT, which is done by then.
            failedCall == "fcntl F_RDLCK"
        }
    }

    private var failedCall: String { String(cString: fault_failed_name()) }

    /// Adds an error to the problems that is not one of the fault.
    private func note(_ error: any Error, _ place: String, _ fault: Fault, _ problems: inout [String]) {
        let isExpected = fault_failed_count() > 0 && scenario.expects(error, fault, failedCall)
        if !isExpected { problems.append("\(place): \(type(of: error)): \(error)") }
    }
}

/// The numbers of allocations of SQLite and of open descriptors.
private struct Level: Equatable {
    let allocations = fault_allocation_count()
    let descriptors = fault_descriptor_count()

    /// Returns the numbers when they have been the same for a while.
    static func settled() async -> Level {
        var (last, count) = (Level(), 0)
        while count < 20 {
            try? await Task.sleep(for: .milliseconds(3))
            let now = Level()
            count = now == last ? count + 1 : 0
            last = now
        }
        return last
    }

    /// Returns how the numbers differ now, when they have had time to return to the level.
    func difference() async -> (Level, String?) {
        // What another thread closes may come a little later.
        for _ in 0..<500 {
            let now = Level()
            if now == self { return (now, nil) }
            try? await Task.sleep(for: .milliseconds(2))
        }
        let now = Level()
        return (
            now,
            "a leak: \(now.allocations - allocations) allocations and \(now.descriptors - descriptors) descriptors"
        )
    }
}
