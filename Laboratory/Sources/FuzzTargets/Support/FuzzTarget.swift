/// A part of Squall that is run with the inputs of a fuzzer.
public struct FuzzTarget: Sendable {
    /// The name of the target, and of its folder in `Corpus`.
    public let name: String
    /// The input of the target in a few words, for the table.
    public let summary: String
    /// The number of bytes of the longest input that the fuzzer makes.
    public let longestInput: Int
    private let body: @Sendable ([UInt8]) throws -> Void
    private let makeSeeds: @Sendable () throws -> [String: [UInt8]]

    init(
        _ name: String, _ summary: String, longestInput: Int, seeds: @escaping @Sendable () throws -> [String: [UInt8]],
        run body: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.longestInput = longestInput
        self.body = body
        makeSeeds = seeds
    }

    /// Runs the target with an input.
    ///
    /// - Throws: ``WrongResult`` if a result is not the one that Squall promises; any error that Squall does not document.
    public func run(_ bytes: [UInt8]) throws {
        try body(bytes)
    }

    /// Returns the inputs with which fuzzing begins, by their names.
    public func seeds() throws -> [String: [UInt8]] {
        try makeSeeds()
    }

    /// All targets, in the order of the table.
    public static let all: [FuzzTarget] = [files, names, dates, imports, schemas, search, changesets]
}
