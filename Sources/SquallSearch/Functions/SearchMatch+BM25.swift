import Squall
import SquallSQLite

extension SearchMatch {
    /// Returns the rank of the row as `bm25()` in SQL computes it: the smaller, the better. All ranks are negative.
    ///
    /// An error, such as a damaged index, makes the function fail after its closure has returned.
    ///
    /// - Parameter weights: The weights of the columns; 1 for those that are left out.
    public borrowing func bm25(_ weights: Double...) -> Double {
        do {
            let memory = try queryMemory()
            let ranking = try memory.ranking ?? makeRanking(memory)
            return try ranking.rank(self, weights)
        } catch {
            fail((error as? SQLiteError)?.extendedCode ?? SQLITE_ERROR)
            return 0
        }
    }

    @inline(never)
    private borrowing func makeRanking(_ memory: QueryMemory) throws -> RankingState {
        let rowCount = Double(try rowCount)
        let average = Double(try totalTokenCount()) / Swift.max(1, rowCount)
        let importances = try (0..<phraseCount).map { phrase in
            var count = 0.0
            try forEachRow(ofPhrase: phrase) { _ in
                count += 1
                return true
            }
            let importance = log((rowCount - count + 0.5) / (count + 0.5))
            return importance > 0 ? importance : 1e-6
        }
        let ranking = RankingState(averageLength: average, importances: importances)
        memory.ranking = ranking
        return ranking
    }
}

/// The numbers of `bm25` that are equal for all rows of a query, and room for those of a row.
final class RankingState {
    private let averageLength: Double
    private let importances: [Double]
    /// The weighted number of instances of each phrase. `@exclusivity(unchecked)`: only ``rank(_:_:)`` uses it, which calls no closure.
    @exclusivity(unchecked) private var frequencies: [Double]

    init(averageLength: Double, importances: [Double]) {
        self.averageLength = averageLength
        self.importances = importances
        frequencies = importances
    }

    func rank(_ match: borrowing SearchMatch, _ weights: [Double]) throws -> Double {
        for index in frequencies.indices { frequencies[index] = 0 }
        let api = match.api
        var count: Int32 = 0
        try match.check(api.pointee.xInstCount(match.context, &count))
        var (phrase, column, token) = (Int32(0), Int32(0), Int32(0))
        for index in 0..<count {
            try match.check(api.pointee.xInst(match.context, index, &phrase, &column, &token))
            let (phrase, column) = (Int(phrase), Int(column))
            guard frequencies.indices.contains(phrase) else { continue }
            frequencies[phrase] += weights.indices.contains(column) ? weights[column] : 1
        }
        var length: Int32 = 0
        try match.check(api.pointee.xColumnSize(match.context, -1, &length))
        let (k1, b) = (1.2, 0.75)
        let part = k1 * (1 - b + b * Double(length) / averageLength)
        var score = 0.0
        for index in frequencies.indices {
            let frequency = frequencies[index]
            score += importances[index] * (frequency * (k1 + 1) / (frequency + part))
        }
        return -score
    }
}
