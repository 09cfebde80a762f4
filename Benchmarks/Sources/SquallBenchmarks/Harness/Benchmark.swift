/// A row of the table: the same work on three sides.
struct Benchmark: Sendable {
    enum Side: String, CaseIterable, Sendable {
        case c
        /// C that keeps its read transactions as Squall does. Only some rows have it.
        case held
        case squall, grdb
    }

    let name: String
    /// The highest ratio of Squall's time to that of the hand-written C.
    var toC: Double?
    /// The highest ratio of Squall's time to that of GRDB.
    var toGRDB: Double?
    /// Another way of writing one of the rows, shown when it is asked for by name or with `--all`.
    var isVariant = false
    /// Opens the three connections.
    let cells: @Sendable (Fixtures) throws -> [Side: Cell]

    static let all: [Benchmark] =
        integers + mixed + decodables + columns + tuples + lookups + cacheMisses + inserts + dates + blobs + largeValues
        + sessions
        + streaming
        + functions + virtualTables + vectors + collations + searches + backups + observers + observation + migrations
        + access
        + groupCommit + tables + sqlFiles + builtQueries + relations + startUps + sealed
}

extension Benchmark {
    /// The best times, in nanoseconds.
    struct Result {
        let benchmark: Benchmark
        let best: [Side: UInt64]

        func ratio(_ side: Side, to other: Side) -> Double {
            Double(best[side] ?? 0) / Double(best[other] ?? 1)
        }

        /// The ratio for a side that only some rows have.
        func ratioIfMeasured(_ side: Side, to other: Side) -> Double? { best[side].map { _ in ratio(side, to: other) } }
    }

    /// Runs the sides in turn, an unmeasured round first, and takes the best time of each.
    func measure(_ fixtures: Fixtures, rounds: Int, clock: Clock) throws -> Result {
        let cells = try cells(fixtures)
        var best: [Side: UInt64] = [:]
        var expected: Checksum?
        for round in 0...rounds {
            for side in Side.allCases {
                guard let cell = cells[side] else {
                    if side == .held { continue }
                    throw Failure("\(name) has no \(side)")
                }
                let measurement = try cell.run(clock)
                guard measurement.checksum == expected ?? measurement.checksum else {
                    throw Failure("\(name): \(side) did something else than c: the checksums differ")
                }
                expected = measurement.checksum
                if round > 0 { best[side] = min(best[side] ?? .max, measurement.nanoseconds) }
            }
        }
        return Result(benchmark: self, best: best)
    }

    /// Runs one side alone: an unmeasured round, and then the work that a profiler is to look at.
    ///
    /// - Returns: The checksum of the last round.
    func profile(_ side: Side, iterations: Int, _ fixtures: Fixtures) throws -> Checksum {
        guard let cell = try cells(fixtures)[side] else { throw Failure("\(name) has no \(side)") }
        var checksum = try cell.run(.wall).checksum
        for _ in 0..<iterations { checksum = try cell.run(.callgrind).checksum }
        return checksum
    }
}
