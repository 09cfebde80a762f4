/// A round of asking nodes for the leader, all at the same time.
struct LeaderSearch {
    let addresses: [String]
    /// The settings of the connections.
    let connection: ConnectionSettings

    /// The time that a node has to connect, and for each of its answers.
    private static let patience = Duration.seconds(1)

    /// Returns the first leader that a node names and that agrees; `nil` if there is none.
    func run(note: (NodeProblem) -> Void) async -> (address: String, members: [ClusterMember])? {
        // A task group would wait for nodes that do not answer, although the leader is known.
        let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
        let tasks = addresses.map { address in
            Task { continuation.yield(await ask(address)) }
        }
        defer { for task in tasks { task.cancel() } }
        var problems = 0
        for await answer in answers {
            switch answer {
            case .success(let (address, members)): return (address, members)
            case .failure(let problem): note(problem)
            }
            problems += 1
            if problems == tasks.count { break }
        }
        return nil
    }

    private typealias Answer = Result<(String, [ClusterMember]), NodeProblem>

    private func ask(_ address: String) async -> Answer {
        do {
            let leader = try await withNode(address) { node in
                guard let leader = try await node.leader() else { throw Refusal(reason: "it knows no leader") }
                return leader
            }
            let members = try await withNode(leader.address) { node in
                guard try await node.leader()?.id == leader.id else {
                    throw Refusal(reason: "it names \(leader.address), which does not lead")
                }
                return try await node.cluster()
            }
            return .success((leader.address, members))
        } catch {
            return .failure(NodeProblem(address: address, reason: "\(error)"))
        }
    }

    private func withNode<Value: Sendable>(
        _ address: String, _ body: (NodeConnection) async throws -> Value
    ) async throws -> Value {
        var settings = connection
        settings.connectDeadline = min(settings.connectDeadline, Self.patience)
        settings.requestDeadline = min(settings.requestDeadline, Self.patience)
        let node = try await NodeConnection.connect(to: address, settings: settings)
        do {
            let value = try await body(node)
            await node.close()
            return value
        } catch {
            await node.close()
            throw error
        }
    }

    private struct Refusal: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }
}

extension NodeProblem: Error {}
