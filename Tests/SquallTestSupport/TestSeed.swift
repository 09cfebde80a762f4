import Foundation

/// The seed of a test with random choices. It is fixed, so that each run makes the same choices.
///
/// `SQUALL_SEED=7` sets it for all tests, and `SQUALL_SEED=random` draws one for the process.
package struct TestSeed: Sendable, CustomStringConvertible {
    package let value: Int

    package var description: String { "\(value)" }

    private static let given: Int? = {
        let text = ProcessInfo.processInfo.environment["SQUALL_SEED"]
        return text == "random" ? Int.random(in: 1..<1_000_000_000) : text.flatMap { Int($0) }
    }()

    /// Returns the seed of the calling test, and prints it, so that a failure can be repeated.
    ///
    /// - Parameter fixed: The seed without `SQUALL_SEED`.
    package static func of(_ fixed: Int = 1, file: String = #fileID, function: String = #function) -> TestSeed {
        let seed = TestSeed(value: given ?? fixed)
        print("Seed \(seed) of \(file) \(function)")
        return seed
    }

    /// Returns the generator of a part of the test, such as a thread or a round.
    package func generator(_ part: Int = 0) -> SeededGenerator {
        SeededGenerator(seed: value &+ part &* 1_000_003)
    }
}
