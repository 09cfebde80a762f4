import Squall

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
