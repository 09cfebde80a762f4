import NodeProcesses
import Testing

@Suite struct LongResultTests {
    /// 100,000 rows of a kilobyte, in a process of its own, whose memory is that of this result only.
    @Test func aLongResultDoesNotFillTheMemory() async throws {
        try await TestNodes.with { nodes in
            let reading = try await ChildProcess(
                [TestNodes.program("ClusterFaults"), "rows", nodes.addresses[0], "100000"], in: nodes.directory)
            #expect(try await reading.wait() == .status(0))
            let numbers = try reading.printed().split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(numbers.count == 3)
            #expect(numbers[0] == 100_000)
            #expect(numbers[1] == 100_000 * 1_000)
            // In kilobytes: the result is 100 MB.
            #expect(numbers[2] < 30_000)
        }
    }
}
