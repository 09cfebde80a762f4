#if os(Linux)
    import Foundation
    import Glibc
    import SquallCluster

    /// Three nodes under load, with faults, and the properties that must hold all the same.
    ///
    ///     ClusterFaults [seconds]
    ///     ClusterFaults rows address count
    ///
    /// The status is 1 if a property is violated, and 2 if the lane itself fails. The second form is for a test of long results.
    @main enum Lane {
        private static let writers = 16
        private static let registerClients = 4

        static func main() async {
            do {
                try await run()
            } catch {
                say("the lane failed: \(error)")
                exit(2)
            }
        }

        private static func run() async throws {
            let arguments = CommandLine.arguments
            if arguments.count == 4, arguments[1] == "rows", let rows = Int(arguments[3]) {
                return try await LongResult.read(from: arguments[2], rows: rows)
            }
            let seconds = max(8, arguments.dropFirst().first.flatMap { Int($0) } ?? 60)
            let violations = try await FaultNodes.with(3) { nodes in
                let violations = try await run(nodes, seconds: seconds)
                if seconds >= 30 { try await measureStaleReads(nodes) }
                return violations
            }
            if violations > 0 { exit(1) }
        }

        private static func run(_ nodes: FaultNodes, seconds: Int) async throws -> Int {
            let load = Load(cluster: try await nodes.client(), other: try await nodes.client())
            try await load.cluster.migrate(Load.schema(1))
            say(
                "three nodes in \(nodes.network.hasNamespaces ? "network namespaces" : "processes on loopback"); "
                    + "\(writers) tasks write for \(seconds) s")
            let register = RegisterClients(nodes, load.ledger)
            let schedule = FaultSchedule(nodes: nodes)
            let end = ContinuousClock.now + .seconds(seconds)
            let working = Task {
                async let writing: Void = load.run(writers: writers)
                try await register.run(registerClients)
                await writing
            }
            async let faults: Void = schedule.run(until: end)
            let migrations = try await migrate(load, at: end - .seconds(seconds) / 2)
            try await faults
            try await Task.sleep(until: end)
            // Calls under way are cancelled, and count as writes whose error says that they were not done.
            working.cancel()
            try await working.value
            try await nodes.waitForAll()
            try await load.settle()
            let check = FinalCheck(nodes: nodes, load: load, register: register.history, faults: schedule.total)
            let lines = try await check.lines() + [migrations]
            report(schedule, lines, load.ledger.counts)
            await load.cluster.close()
            await load.other.close()
            return lines.reduce(0) { $0 + $1.violations }
        }

        /// Migrates by two clients at the same time, in the middle of the load. One of them has something to do.
        private static func migrate(_ load: Load, at time: ContinuousClock.Instant) async throws -> FinalCheck.Line {
            try await Task.sleep(until: time)
            async let first = migrate(load.cluster)
            async let second = migrate(load.other)
            let results = try await [first, second]
            let isWrong = results.allSatisfy { $0 == false } || results == [true, true]
            return FinalCheck.Line(name: "migrations by two clients under load", count: 2, violations: isWrong ? 1 : 0)
        }

        /// Returns whether the client has migrated; `nil` if the outcome of a call was unknown.
        private static func migrate(_ cluster: Cluster) async throws -> Bool? {
            do {
                return try await cluster.migrate(Load.schema(2))
            } catch ClusterError.commitOutcomeUnknown {
                _ = try await migrate(cluster)
                return nil
            }
        }

        private static func report(_ schedule: FaultSchedule, _ lines: [FinalCheck.Line], _ counts: Ledger.Counts) {
            say("\n\(pad("fault", 44)) count")
            for fault in FaultSchedule.Fault.allCases {
                let count = schedule.counts.withLockedValue { $0[fault, default: 0] }
                say("\(pad(fault.rawValue, 44)) \(count)")
            }
            say("\n\(pad("property", 64)) count    violations")
            for line in lines { say("\(pad(line.name, 64)) \(pad(line.count, 8)) \(line.violations)") }
            say("\n\(counts.acknowledged) writes acknowledged; errors of calls:")
            for (error, count) in counts.errors.sorted(by: { $0.value > $1.value }) { say("\(count)× \(error)") }
        }

        private static func measureStaleReads(_ nodes: FaultNodes) async throws {
            let stale = StaleReads(nodes: nodes)
            let heading = pad("reads of an old leader, 20 faults each, ms", 44)
            say("\n\(heading) old reads  oldest  successor's write  last answer")
            for fault in StaleReads.Fault.allCases where fault == .paused || nodes.network.hasNamespaces {
                var (old, oldest, succession, answers) = (0, Duration.zero, [Duration](), [Duration]())
                for _ in 0..<20 {
                    let result = try await stale.measure(fault)
                    old += result.old
                    oldest = max(oldest, result.age)
                    succession.append(result.succession)
                    answers.append(result.lastAnswer)
                }
                say(
                    "\(pad(fault.rawValue, 44)) \(pad(old, 10)) \(pad(milliseconds(oldest), 7)) "
                        + "\(pad(range(succession), 18)) \(range(answers))")
            }
        }

        private static func range(_ times: [Duration]) -> String {
            "\(milliseconds(times.min() ?? .zero)) to \(milliseconds(times.max() ?? .zero))"
        }

        private static func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }

        private static func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
            let text = value.description
            return text + String(repeating: " ", count: max(0, width - text.count))
        }
    }
#else
    @main enum Lane {
        static func main() { print("nodes run on Linux only") }
    }
#endif
