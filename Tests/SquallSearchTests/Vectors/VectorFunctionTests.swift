import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The distances of vectors in SQL.
struct VectorFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.addVectorFunctions()
    }

    private func distance(_ metric: VectorMetric, _ a: [Float], _ b: [Float]) throws -> Double {
        try connection.query("SELECT vec_distance_\(raw: metric.rawValue)(\(a), \(b))")
    }

    @Test func distancesAreThoseOfTheirDefinitions() throws {
        #expect(try distance(.l2, [1, 2], [4, 6]) == 5)
        #expect(try distance(.dot, [1, 2], [4, 6]) == -16)
        #expect(try distance(.dot, [1, 0], [0, 1]).sign == .plus)
        #expect(try distance(.cosine, [1, 0], [0, 2]) == 1)
        #expect(try distance(.cosine, [1, 0], [3, 0]) == 0)
        #expect(try distance(.cosine, [1, 0], [-3, 0]) == 2)
        #expect(try distance(.cosine, [0, 0], [3, 0]) == 1)
        #expect(try distance(.l2, [0, 0], [0, 0]) == 0)
    }

    /// Against a computation in `Double`, for every rest of a round.
    @Test(arguments: [1, 2]) func distancesAreExact(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        for count in Array(1...70) + [384, 1000] {
            let a = (0..<count).map { _ in Float.random(in: -2...2, using: &generator) }
            let b = (0..<count).map { _ in Float.random(in: -2...2, using: &generator) }
            let pairs = zip(a, b).map { (Double($0), Double($1)) }
            let l2 = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
            let dot = -pairs.reduce(0) { $0 + $1.0 * $1.1 }
            let lengths = pairs.reduce(into: (0.0, 0.0)) {
                $0.0 += $1.0 * $1.0; $0.1 += $1.1 * $1.1
            }
            let cosine = 1 + dot / (lengths.0 * lengths.1).squareRoot()
            let tolerance = 1e-5 * Double(count).squareRoot()
            #expect(abs(try distance(.l2, a, b) - l2) < tolerance, "seed \(seed), \(count) components")
            #expect(abs(try distance(.dot, a, b) - dot) < 10 * tolerance, "seed \(seed), \(count) components")
            #expect(abs(try distance(.cosine, a, b) - cosine) < tolerance, "seed \(seed), \(count) components")
            #expect(try distance(.l2, a, a) == 0)
            #expect(abs(try distance(.cosine, a, a)) < 1e-6)
        }
    }

    @Test(arguments: [1, 3, 40]) func largeAndSmallComponentsDoNotOverflow(_ count: Int) throws {
        for scale: Float in [1e-40, 1e-30, 1e20, 3e38] {
            let a = [Float](repeating: scale, count: count)
            let b = [Float](repeating: -scale, count: count)
            let expected = 2 * Double(scale) * Double(count).squareRoot()
            #expect(abs(try distance(.l2, a, b) / expected - 1) < 1e-6)
            #expect(abs(try distance(.cosine, a, b) - 2) < 1e-6)
            #expect(abs(try distance(.dot, a, b) / (Double(scale) * Double(scale) * Double(count)) - 1) < 1e-5)
        }
    }

    @Test(arguments: [1, 16, 33, 100]) func componentsThatAreNotFiniteAreRefused(_ count: Int) throws {
        for metric in VectorMetric.allCases {
            for value in [Float.nan, .infinity, -.infinity] {
                for index in [0, count - 1] {
                    let one = [Float](repeating: 1, count: count)
                    var bad = one
                    bad[index] = value
                    for pair in [(bad, one), (one, bad), (bad, bad)] {
                        let error = try sqliteError { _ = try distance(metric, pair.0, pair.1) }
                        #expect(error.resultCode == .mismatch)
                        #expect(
                            error.message.hasPrefix("vec_distance_\(metric.rawValue)(): argument "), "\(error.message)")
                        #expect(error.message.hasSuffix("component \(index) is \(value)"), "\(error.message)")
                    }
                }
            }
        }
    }

    @Test func otherArgumentsAreRefused() throws {
        let vector: [Float] = [1, 2]
        for value in ["'text'", "1", "1.5", "x'010203'", "'[1, 2]'"] as [SQL] {
            let error = try sqliteError { try connection.run("SELECT vec_distance_l2(\(vector), \(value))") }
            #expect(error.message.hasPrefix("vec_distance_l2(), argument 2: expected Array<Float>"), "\(error.message)")
            #expect(error.resultCode == .mismatch)
        }
        #expect(
            try sqliteError { _ = try distance(.cosine, [1, 2], [1, 2, 3]) }.message
                == "vec_distance_cosine(): vectors of 2 and of 3 components")
        #expect(
            try sqliteError { _ = try distance(.cosine, [], []) }.message
                == "vec_distance_cosine(): a vector has at least one component")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT vec_distance_l2(\(vector))") }
    }

    @Test func nullGivesNull() throws {
        let vector: [Float] = [1, 2]
        #expect(try connection.query("SELECT vec_distance_l2(NULL, \(vector))") as Double? == nil)
        #expect(try connection.query("SELECT vec_distance_dot(\(vector), NULL)") as Double? == nil)
    }

    @Test func indexesAndViewsCallTheFunctions() throws {
        let connection = try Connection(":memory:", configuration: .untrusted)
        try connection.addVectorFunctions()
        try connection.execute("CREATE TABLE t(v BLOB); CREATE INDEX i ON t(vec_distance_l2(v, x'00000000'))")
        try connection.execute("CREATE VIEW lengths AS SELECT vec_distance_l2(v, x'00000000') AS length FROM t")
        try connection.run("INSERT INTO t VALUES(\([-3] as [Float]))")
        #expect(try connection.query("SELECT length FROM lengths") == 3.0)
    }

    @Test func theNearestRowsAreExact() throws {
        var generator = SeededGenerator(seed: 3)
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, embedding BLOB)")
        var vectors: [[Float]] = []
        for id in 0..<500 {
            vectors.append((0..<8).map { _ in Float.random(in: -1...1, using: &generator) })
            try connection.run("INSERT INTO notes VALUES(?, ?)", id, vectors[id])
        }
        let query: [Float] = vectors[17].map { $0 + 0.01 }
        let nearest: [Int] = try connection.query(
            "SELECT id FROM notes ORDER BY vec_distance_l2(embedding, \(query)) LIMIT 5")
        func square(_ id: Int) -> Float { zip(vectors[id], query).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        #expect(nearest == Array((0..<500).sorted { square($0) < square($1) }.prefix(5)), "seed 3")
        #expect(nearest.first == 17)
    }

    @Test func aMissingFunctionHasAHint() throws {
        let error = try sqliteError { try Connection().run("SELECT vec_distance_l2(x'', x'')") }
        #expect(error.hint?.contains("addVectorFunctions()") == true)
    }
}
