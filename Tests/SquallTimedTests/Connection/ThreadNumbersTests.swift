import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct ThreadNumbersTests {
    @Test func threadsAreNumberedInTheirOrder() throws {
        let numbers = ThreadNumbers()
        let seen = try (0..<4).map { _ in
            try ThreadResult { [numbers.current, numbers.current] }.get()
        }
        #expect(seen == [[1, 1], [2, 2], [3, 3], [4, 4]])
    }

    @Test func noTwoThreadsHaveTheSameNumber() throws {
        let numbers = ThreadNumbers()
        let threads = (0..<50).map { _ in ThreadResult { numbers.current } }
        let seen = try threads.map { try $0.get() }
        #expect(Set(seen) == Set(1...50))
    }
}
