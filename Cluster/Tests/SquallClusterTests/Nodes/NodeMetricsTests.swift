#if os(Linux)
    import Foundation
    import Metrics
    import MetricsTestKit
    import Testing

    @testable import SquallCluster

    @Suite struct NodeMetricsTests {
        private func value(_ metrics: TestMetrics, _ name: String) throws -> Double? {
            try metrics.expectRecorder("squall.node.\(name)", [("node", "1")]).lastValue
        }

        @Test func aNodeThatLeadsIsMeasuredUntilItStops() async throws {
            try await InProcessNode.withDirectory { directory in
                let node = try await InProcessNode.start(in: directory)
                let factory = TestMetrics()
                let metrics = NodeMetrics(
                    id: 1, address: node.address, directory: node.directory, factory: factory)
                while try value(factory, "leads") != 1 {
                    await metrics.record()
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(try value(factory, "replies") == 1)
                #expect(try value(factory, "members") == 1)
                let bytes = try value(factory, "directory.bytes") ?? 0
                #expect(bytes > 60)
                try await node.stop()
                await metrics.record()
                #expect(try value(factory, "replies") == 0)
                #expect(try value(factory, "leads") == 0)
                #expect(try value(factory, "members") == 1)
            }
        }

        @Test func measuringEndsWithItsTask() async throws {
            let node = try await FakeNode()
            node.names(node, members: [node])
            let factory = TestMetrics()
            let metrics = NodeMetrics(id: 1, address: node.address, directory: "/nowhere", factory: factory)
            let task = Task { await metrics.record(every: .milliseconds(1)) }
            while node.count(.leader) < 3 { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            await task.value
            #expect(try value(factory, "directory.bytes") == 0)
        }
    }
#endif
