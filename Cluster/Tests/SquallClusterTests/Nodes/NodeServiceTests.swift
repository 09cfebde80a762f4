import NIOConcurrencyHelpers
import Testing

@testable import SquallCluster

@Suite struct NodeServiceTests {
    private static var impatient: ConnectionSettings {
        var settings = ConnectionSettings()
        settings.connectDeadline = .milliseconds(100)
        return settings
    }

    @Test func aNodeThatDoesNotAnswerAtFirstIsAskedAgain() async throws {
        let node = try await FakeNode()
        node.names(node, members: [node])
        let named = node.answer.withLockedValue(\.self)
        let ignored = NIOLockedValueBox(2)
        node.answer.withLockedValue {
            $0 = { message in
                let ignores = ignored.withLockedValue { count in
                    count -= 1
                    return count >= 0
                }
                return ignores ? .ignore : named(message)
            }
        }
        let members = try await NodeService.members(knownTo: node.address, settings: Self.impatient)
        #expect(members.map(\.address) == [node.address])
    }

    @Test func aNodeThatNeverAnswersIsAnErrorAfterTheDeadline() async throws {
        let node = try await FakeNode()
        await #expect(throws: ClusterError.self) {
            _ = try await NodeService.members(
                knownTo: node.address, settings: Self.impatient, deadline: .milliseconds(150))
        }
    }
}
