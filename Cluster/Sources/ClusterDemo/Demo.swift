#if os(Linux)
    import Foundation
    import Glibc
    import SquallCluster

    /// Three nodes, a load of writes, and the leader killed in the middle of it.
    ///
    ///     ClusterDemo [seconds]
    // On the main thread: a node is killed when the thread that started it ends.
    @MainActor @main enum Demo {
        static func main() async throws {
            if try await !isNothingLost() { exit(1) }
        }

        private static func isNothingLost() async throws -> Bool {
            let seconds = max(6, CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20)
            let nodes = try DemoNodes(count: 3)
            defer { nodes.removeAll() }
            for index in 0..<3 { try nodes.start(index) }
            let cluster = try ClusterAdministration(addresses: nodes.addresses, deadline: .seconds(20))
            let load = Load(cluster)
            try await load.prepare(voters: 3)
            say("three nodes: \(nodes.addresses.joined(separator: ", ")); 4 tasks write for \(seconds) s")
            let writers = Task { await load.run(tasks: 4) }
            try await watch(load, nodes, seconds: seconds)
            writers.cancel()
            await writers.value
            return try await finish(load)
        }

        /// Prints a line each second, kills the leader after a third of the time and starts it again after two thirds.
        private static func watch(_ load: Load, _ nodes: DemoNodes, seconds: Int) async throws {
            say("time  leader  writes/s  acknowledged  failed")
            var killed: Int?
            for second in 1...seconds {
                try await Task.sleep(for: .seconds(1))
                let count = load.takeCounts()
                let leader = load.leader.map { "\($0)" } ?? "-"
                say(
                    "\(pad(second, 3)) s\(pad(leader, 8))\(pad(count.second, 10))\(pad(count.acknowledged, 14))"
                        + "\(pad(count.failed, 8))")
                if second == seconds / 3, let leader = load.leader {
                    killed = Int(leader) - 1
                    load.noteKill()
                    nodes.kill(Int(leader) - 1)
                    say("       node \(leader), the leader, is killed")
                }
                if second == seconds * 2 / 3, let killed {
                    try nodes.start(killed)
                    say("       node \(killed + 1) starts again")
                }
            }
        }

        /// Compares what was acknowledged with what the cluster has. Returns whether writes went on and none was lost.
        private static func finish(_ load: Load) async throws -> Bool {
            let found = try await load.found()
            let acknowledged = load.acknowledged
            let lost = acknowledged.subtracting(found).count
            if let time = load.failover { say("first write after the kill: \(time)") }
            say(
                "\(acknowledged.count) writes acknowledged, \(lost) of them lost; "
                    + "\(found.subtracting(acknowledged).count) happened without an acknowledgement")
            return lost == 0 && load.failover != nil
        }

        /// Prints a line at once, also into a pipe.
        private static func say(_ line: String) {
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }

        private static func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
            let text = value.description
            return String(repeating: " ", count: max(0, width - text.count)) + text
        }
    }
#else
    @main enum Demo {
        static func main() { print("nodes run on Linux only") }
    }
#endif
