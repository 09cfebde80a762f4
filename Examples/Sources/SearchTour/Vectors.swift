import Squall
import SquallSearch

private struct Song: TableRecord {
    let name: String
    /// Tempo and loudness, for instance, as a model has measured them.
    let features: [Float]

    static let table = Table("songs", Song.init) {
        Column("name", \Song.name, .primaryKey)
        Column("features", \Song.features)
    }
}

/// Finds the songs that are most like another one, by three distances.
func compareVectors(_ connection: Connection) throws {
    try connection.addVectorFunctions()
    try connection.create(Song.table)
    try connection.insert(contentsOf: [
        Song(name: "slow and quiet", features: [1, 1]), Song(name: "fast and loud", features: [9, 8]),
        Song(name: "fast and quiet", features: [8, 1]),
    ])
    func nearest(to features: [Float], by metric: VectorMetric) throws -> String? {
        try connection.first(Song.order { $0.features.distance(to: features, metric).ascending })?.name
    }
    // The direction does not depend on the lengths of vectors. The product does.
    print("    by length: \(try nearest(to: [2, 2], by: .l2) ?? "-")")
    print("    by direction: \(try nearest(to: [2, 0.3], by: .cosine) ?? "-")")
    print("    by product: \(try nearest(to: [2, 0.3], by: .dot) ?? "-")")
}
