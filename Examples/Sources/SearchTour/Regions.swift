import Squall
import SquallSearch

/// Searches an R*Tree for a ring and for the nearest points, and looks how much of the tree SQLite reads.
func searchRegions(_ connection: Connection) throws {
    let points = SpatialTable("points", dimensions: "x", "y")
    try connection.create(points)
    let grid = (0..<2_500).map { (id: Int64($0), box: SpatialBox.point(Double($0 % 50), Double($0 / 50))) }
    try connection.insert(contentsOf: grid, into: points)

    let counter = TestCounter()
    try connection.addSpatialFunction("ring") { (x: Double, y: Double, inner: Double, outer: Double) in
        counter.counting(region(circle(x, y, outer), without: circle(x, y, inner)))
    }
    try connection.addSpatialFunction("nearest") { (x: Double, y: Double) in counter.counting(nearest(x, y)) }

    let ring = try connection.entries(points.matching("ring", 25, 25, 4, 5))
    print("    the ring has \(ring.count) points. Most were not tested: \(counter.entries < grid.count / 2)")
    counter.entries = 0
    let five = try connection.entries(points.matching("nearest", 10.2, 20.1), limit: 5)
    print("    nearest: \(five.map { "\(Int($0.box[0].minimum)),\(Int($0.box[1].minimum))" }.joined(separator: " "))")
    print("    Most were not tested: \(counter.entries < grid.count / 2)")
}

/// Counts the entries that a test has seen, and not the boxes that contain them.
private final class TestCounter {
    var entries = 0

    private func count(_ candidate: borrowing SpatialCandidate) {
        if candidate.isEntry { entries += 1 }
    }

    func counting(_ test: @escaping Connection.SpatialTest) -> Connection.SpatialTest {
        { candidate in
            self.count(candidate)
            return try test(candidate)
        }
    }
}

/// Returns the test of a circle, or of a sphere: whatever the tree has dimensions for.
private func circle(_ x: Double, _ y: Double, _ radius: Double) -> Connection.SpatialTest {
    { candidate in
        guard candidate.dimensionCount == 2 else { return .outside }
        let centre = SpatialBox.point(x, y)
        if candidate.box.distance(to: centre) > radius { return .outside }
        return candidate.box.greatestDistance(to: centre) <= radius ? .inside : .partlyInside
    }
}

/// Returns the test of one region without another: what is wholly inside the other is outside of both.
private func region(
    _ region: @escaping Connection.SpatialTest, without hole: @escaping Connection.SpatialTest
) -> Connection.SpatialTest {
    { candidate in
        // All of a box that is inside the ring is, too.
        if candidate.parentVisibility == .inside { return .inside(score: candidate.parentScore) }
        let (found, left) = (try region(candidate), try hole(candidate))
        switch (found.visibility, left.visibility) {
        case (.outside, _), (_, .inside): return .outside
        case (.inside, .outside): return scored(.inside, by: found, level: candidate.level)
        default: return scored(.partlyInside, by: found, level: candidate.level)
        }
    }
}

/// Returns a result with the score of another one. Without a score, the higher boxes of the tree come last, as SQLite does it.
private func scored(_ visibility: SpatialMatch.Visibility, by match: SpatialMatch, level: Int) -> SpatialMatch {
    let score = match.score ?? Double(level)
    return visibility == .inside ? .inside(score: score) : .partlyInside(score: score)
}

/// Returns a test that finds all entries, those first that are nearest to a point.
private func nearest(_ x: Double, _ y: Double) -> Connection.SpatialTest {
    { candidate in
        let distance = candidate.box.distance(to: .point(x, y))
        // At the same distance, a box of entries is opened before the entries: one of them may be as near.
        let depth = Double(candidate.highestLevel - candidate.level) / 1_000_000
        return .partlyInside(score: distance + depth)
    }
}
