import Squall
import SquallSQLite

/// A box that SQLite passes to a spatial function: that of an entry, or one that contains all boxes of a part of the tree.
///
/// It is valid only during the call, and cannot be copied out of it.
public struct SpatialCandidate: ~Copyable {
    private let info: UnsafeMutablePointer<sqlite3_rtree_query_info>

    init(_ info: UnsafeMutablePointer<sqlite3_rtree_query_info>) {
        self.info = info
    }

    /// The box, as it is stored.
    public var box: SpatialBox {
        let (count, coordinates) = (Int(info.pointee.nCoord) / 2, info.pointee.aCoord)
        return SpatialBox(
            count: count, (0..<count).lazy.map { (coordinates?[2 * $0] ?? 0, coordinates?[2 * $0 + 1] ?? 0) })
    }

    /// The number of dimensions.
    public var dimensionCount: Int { Int(info.pointee.nCoord) / 2 }

    /// The key of an entry; `nil` for a box that contains other boxes.
    public var id: Int64? { isEntry ? info.pointee.iRowid : nil }

    /// Whether it is an entry.
    public var isEntry: Bool { level == 0 }

    /// The level in the tree: 0 for an entry.
    public var level: Int { Int(info.pointee.iLevel) }

    /// The level of the whole tree.
    public var highestLevel: Int { Int(info.pointee.mxLevel) }

    /// The score of the box that contains this one.
    public var parentScore: Double { info.pointee.rParentScore }

    /// The result for the box that contains this one. If it was inside, this one is, too.
    public var parentVisibility: SpatialMatch.Visibility {
        SpatialMatch.Visibility(rawValue: info.pointee.eParentWithin) ?? .partlyInside
    }

    func apply(_ match: SpatialMatch, of function: String) throws {
        let score = match.score ?? Double(level)
        guard score >= 0 else { throw SQLiteError(SpatialProblem.invalidScore(function: function)) }
        info.pointee.eWithin = match.visibility.rawValue
        info.pointee.rScore = score
    }
}

/// The part of a box that a spatial function finds, and the score that determines the order.
public struct SpatialMatch: Hashable, Sendable {
    /// The part of a box.
    public enum Visibility: Int32, Hashable, Sendable {
        /// The box is outside. None of the boxes in it are tested.
        case outside = 0
        /// A part of the box is inside.
        case partlyInside = 1
        /// The whole box is inside.
        case inside = 2
    }

    public let visibility: Visibility
    /// The score; `nil` for the level in the tree, with which SQLite searches in depth first.
    public let score: Double?

    /// The box is outside. None of the boxes in it are tested.
    public static let outside = SpatialMatch(visibility: .outside, score: nil)
    /// A part of the box is inside.
    public static let partlyInside = SpatialMatch(visibility: .partlyInside, score: nil)
    /// The whole box is inside.
    public static let inside = SpatialMatch(visibility: .inside, score: nil)

    /// A box that is partly inside, with a score. SQLite continues with the smallest score.
    ///
    /// If the score of a box is never greater than the scores of the boxes in it, as with the distance to a point, the entries are found in
    /// the order of their scores.
    public static func partlyInside(score: Double) -> SpatialMatch {
        SpatialMatch(visibility: .partlyInside, score: score)
    }

    /// A box that is wholly inside, with a score. See ``partlyInside(score:)``.
    public static func inside(score: Double) -> SpatialMatch { SpatialMatch(visibility: .inside, score: score) }
}
