import Testing

@testable import ClusterFaults

/// The check by itself, on histories that are and are not linearizable. The first value of the register is 0.
@Suite struct LinearizabilityTests {
    private static func operation(
        _ action: RegisterOperation.Action, _ call: Int, _ end: Int?, client: Int = 0
    ) -> RegisterOperation {
        RegisterOperation(client: client, action: action, call: .seconds(call), end: end.map { .seconds($0) })
    }

    private static func violation(_ history: RegisterOperation...) -> RegisterOperation? {
        LinearizabilityCheck(history, initial: 0).violation()
    }

    @Test func operationsOneAfterAnother() {
        let write = Self.operation(.write(1), 1, 2)
        #expect(Self.violation() == nil)
        #expect(Self.violation(write, Self.operation(.read(1), 3, 4)) == nil)
        let old = Self.operation(.read(0), 3, 4)
        #expect(Self.violation(write, old) == old)
        let future = Self.operation(.read(1), 0, 0)
        #expect(Self.violation(future, write) == future)
        #expect(Self.violation(Self.operation(.read(7), 1, 2)) != nil)
    }

    @Test func aReadDuringAWriteMaySeeEitherValue() {
        let write = Self.operation(.write(1), 1, 9)
        for value in 0...1 { #expect(Self.violation(write, Self.operation(.read(value), 2, 3)) == nil) }
        // But not the new one and then the old one.
        let (first, second) = (Self.operation(.read(1), 2, 3), Self.operation(.read(0), 4, 5))
        #expect(Self.violation(write, first, second) != nil)
        #expect(Self.violation(write, Self.operation(.read(0), 2, 3), Self.operation(.read(1), 4, 5)) == nil)
        // Reads at the same time can be in either order.
        #expect(Self.violation(write, first, Self.operation(.read(0), 2, 5)) == nil)
    }

    @Test func writesAtTheSameTimeHaveOneOrder() {
        let writes = [Self.operation(.write(1), 1, 5), Self.operation(.write(2), 1, 5)]
        for (first, second, isRight) in [(1, 1, true), (2, 2, true), (1, 2, false), (2, 1, false)] {
            let reads = [Self.operation(.read(first), 6, 7), Self.operation(.read(second), 8, 9)]
            let violation = LinearizabilityCheck(writes + reads, initial: 0).violation()
            #expect((violation == nil) == isRight, "\(first) and then \(second)")
        }
    }

    @Test func anUnknownOutcomeMayHappenAtAnyTimeAfterItsCallOrNever() {
        let lost = Self.operation(.write(1), 5, nil)
        let old = Self.operation(.read(0), 6, 7)
        let new = Self.operation(.read(1), 8, 9)
        #expect(Self.violation(lost, old) == nil)
        #expect(Self.violation(lost, old, new) == nil)
        #expect(Self.violation(lost, new, Self.operation(.read(0), 10, 11)) != nil)
        #expect(Self.violation(lost, Self.operation(.read(1), 1, 2)) != nil)
        // It happens once.
        let write = Self.operation(.write(2), 10, 11)
        #expect(Self.violation(lost, new, write, Self.operation(.read(2), 12, 13)) == nil)
        #expect(
            Self.violation(lost, new, write, Self.operation(.read(2), 12, 13), Self.operation(.read(1), 14, 15)) != nil)
        #expect(Self.violation(lost, write, Self.operation(.read(2), 12, 13), Self.operation(.read(1), 14, 15)) == nil)
    }

    @Test func anExchangeFindsTheValueBeforeIt() {
        let done = Self.operation(.exchange(expected: 0, new: 1, found: 0), 1, 2)
        #expect(Self.violation(done, Self.operation(.read(1), 3, 4)) == nil)
        #expect(Self.violation(done, Self.operation(.read(0), 3, 4)) != nil)
        let failed = Self.operation(.exchange(expected: 0, new: 2, found: 1), 3, 4)
        #expect(Self.violation(done, failed, Self.operation(.read(1), 5, 6)) == nil)
        #expect(Self.violation(done, failed, Self.operation(.read(2), 5, 6)) != nil)
        // Two exchanges of the same value are not both done: an update would be lost.
        #expect(Self.violation(done, Self.operation(.exchange(expected: 0, new: 2, found: 0), 1, 2)) != nil)
        // One of unknown outcome has an effect only on the value that it expects.
        let lost = Self.operation(.exchange(expected: 1, new: 3, found: nil), 1, nil)
        #expect(Self.violation(done, lost, Self.operation(.read(3), 5, 6)) == nil)
        #expect(Self.violation(lost, Self.operation(.read(3), 5, 6)) != nil)
        // What it expects may be a write of unknown outcome that nothing else has seen.
        let first = Self.operation(.write(1), 1, nil)
        #expect(Self.violation(first, lost, Self.operation(.read(3), 5, 6)) == nil)
    }

    /// Random operations that take effect at a time between their call and their return are linearizable. With one read
    /// changed to a value that was overwritten before its call, they are not.
    @Test func longRandomHistories() throws {
        let seed = TestSeed.of()
        var random = Seeded(seed: seed)
        for _ in 0..<50 {
            var history = Self.history(of: 400, &random)
            #expect(LinearizabilityCheck(history, initial: 0).violation() == nil, "seed \(seed)")
            let last = history.map { $0.end ?? .zero }.max() ?? .zero
            history.append(
                RegisterOperation(client: 9, action: .write(-1), call: last + .seconds(1), end: last + .seconds(2)))
            let old = RegisterOperation(client: 9, action: .read(0), call: last + .seconds(3), end: last + .seconds(4))
            history.append(old)
            #expect(LinearizabilityCheck(history, initial: 0).violation() == old, "seed \(seed)")
        }
    }

    private static func history(of count: Int, _ random: inout Seeded) -> [RegisterOperation] {
        var (value, history) = (0, [RegisterOperation]())
        for index in 0..<count {
            // The operation takes effect at the time `index`; up to eight are under way at once.
            let call = Duration.milliseconds(1_000 * index - random.number(0..<4_000))
            let end = Duration.milliseconds(1_000 * index + random.number(0..<4_000))
            let isLost = random.number(0..<20) == 0
            let action: RegisterOperation.Action
            switch random.number(0..<4) {
            case 0: action = .write(index + 1)
            case 1:
                let expected = random.number(0..<2) == 0 ? value : index
                action = .exchange(expected: expected, new: index + 1, found: isLost ? nil : value)
            default: action = .read(value)
            }
            let happens = !isLost || random.number(0..<2) == 0
            let operation = RegisterOperation(client: index % 8, action: action, call: call, end: isLost ? nil : end)
            if happens { value = operation.value(after: value) ?? value }
            if isLost, case .read = action { continue }
            history.append(operation)
        }
        return history
    }
}
