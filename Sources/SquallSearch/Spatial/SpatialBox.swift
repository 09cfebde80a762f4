import Squall

/// A box with sides along the axes: an interval in each dimension. In one dimension it is an interval, with intervals of length
/// 0 a point.
///
///     let town = SpatialBox(13.0...13.8, 52.3...52.7)     // west to east, south to north
///     let station = SpatialBox.point(13.37, 52.53)
public struct SpatialBox: Hashable, Sendable {
    // Beside one another and not in arrays, so that reading an entry allocates nothing. An R*Tree has at most five dimensions;
    // the rest is 0.
    typealias Corner = SIMD8<Double>

    let minimum: Corner
    let maximum: Corner

    /// The number of dimensions.
    public let dimensionCount: Int

    /// A box of the intervals in its dimensions, which are at most five for an R*Tree.
    public init(_ ranges: ClosedRange<Double>...) {
        self.init(ranges)
    }

    /// A box of the intervals in its dimensions.
    public init(_ ranges: [ClosedRange<Double>]) {
        let corners = ranges.lazy.map { ($0.lowerBound, $0.upperBound) }
        self.init(count: ranges.count, corners)
    }

    /// A point.
    public static func point(_ coordinates: Double...) -> SpatialBox {
        SpatialBox(count: coordinates.count, coordinates.lazy.map { ($0, $0) })
    }

    init(count: Int, _ corners: some Sequence<(Double, Double)>) {
        var (minimum, maximum) = (Corner.zero, Corner.zero)
        for (index, corner) in corners.prefix(Corner.scalarCount).enumerated() {
            (minimum[index], maximum[index]) = corner
        }
        (self.minimum, self.maximum, dimensionCount) = (minimum, maximum, count)
    }

    /// The smallest and the largest coordinate in a dimension, from 0.
    ///
    /// It is not a range, which traps for coordinates in the wrong order: a damaged file has such boxes.
    public subscript(dimension: Int) -> (minimum: Double, maximum: Double) { (minimum[dimension], maximum[dimension]) }

    /// Returns whether the boxes have a point in common, which may be on their sides.
    public func overlaps(_ other: SpatialBox) -> Bool {
        dimensionCount == other.dimensionCount && all(minimum .<= other.maximum .& (other.minimum .<= maximum))
    }

    /// Returns whether the other box is nowhere outside this one.
    public func contains(_ other: SpatialBox) -> Bool {
        dimensionCount == other.dimensionCount && all(minimum .<= other.minimum .& (other.maximum .<= maximum))
    }

    /// Returns the distance of the nearest points of the boxes; 0 if they overlap.
    public func distance(to other: SpatialBox) -> Double {
        let gap = pointwiseMax(pointwiseMax(other.minimum - maximum, minimum - other.maximum), .zero)
        return (gap * gap).sum().squareRoot()
    }

    /// Returns the distance of the farthest points of the boxes.
    public func greatestDistance(to other: SpatialBox) -> Double {
        let length = pointwiseMax(other.maximum - minimum, maximum - other.minimum)
        return (length * length).sum().squareRoot()
    }
}

extension SpatialBox: CustomStringConvertible {
    public var description: String {
        let sides = (0..<min(dimensionCount, Corner.scalarCount)).map { "\(minimum[$0])...\(maximum[$0])" }
        return "SpatialBox(\(sides.joined(separator: ", ")))"
    }
}
