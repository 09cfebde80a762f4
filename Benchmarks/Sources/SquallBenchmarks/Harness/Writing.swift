import GRDB
import Squall

/// What rows that write need: each round of each side writes into a fresh file of its own, which is then read back.
struct Writing {
    let row: String
    /// Makes the table. Not timed.
    let create: String
    /// What is read back for the checksum. Not timed.
    let check: String

    func cells(
        _ fixtures: Fixtures,
        c: @escaping (CDatabase) throws -> Void,
        squall: @escaping (Connection) throws -> Void,
        grdb: @escaping (DatabaseQueue) throws -> Void
    ) -> [Benchmark.Side: Cell] {
        [
            .c: cell(fixtures, .c, open: { try CDatabase($0, synchronous: "OFF") }, work: c),
            .squall: cell(fixtures, .squall, open: { try Connection.toWrite($0) }, work: squall),
            .grdb: cell(fixtures, .grdb, open: { try DatabaseQueue.toWrite($0) }, work: grdb),
        ]
    }

    /// Squall takes the place of C as well.
    func cells(
        _ fixtures: Fixtures,
        inPlaceOfC: @escaping (Connection) throws -> Void,
        squall: @escaping (Connection) throws -> Void,
        grdb: @escaping (DatabaseQueue) throws -> Void
    ) -> [Benchmark.Side: Cell] {
        [
            .c: cell(fixtures, .c, open: { try Connection.toWrite($0) }, work: inPlaceOfC),
            .squall: cell(fixtures, .squall, open: { try Connection.toWrite($0) }, work: squall),
            .grdb: cell(fixtures, .grdb, open: { try DatabaseQueue.toWrite($0) }, work: grdb),
        ]
    }

    private func cell<Database>(
        _ fixtures: Fixtures, _ side: Benchmark.Side,
        open: @escaping (String) throws -> Database, work: @escaping (Database) throws -> Void
    ) -> Cell {
        Cell(
            before: {
                let path = fixtures.freshFile(for: row, side)
                try CDatabase(path).execute(create)
                return (path, try open(path))
            },
            work: { try work($0.1) },
            check: { context, _ in try CDatabase.checksum(of: context.0, check) }
        )
    }
}
