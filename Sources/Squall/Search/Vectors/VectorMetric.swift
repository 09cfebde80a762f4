/// A distance of two vectors: the smaller it is, the nearer they are.
public enum VectorMetric: String, CaseIterable, Sendable {
    /// The length of the difference, by the SQL function `vec_distance_l2`.
    case l2
    /// 1 minus the cosine of the angle, from 0 to 2, by the SQL function `vec_distance_cosine`. It does not depend on the
    /// lengths of the vectors. It is 1 if all components of a vector are 0.
    case cosine
    /// The negative sum of the products of the components, by the SQL function `vec_distance_dot`. For vectors of length 1 it
    /// orders as `cosine`, and takes less time.
    case dot

    /// The name of the SQL function: `vec_distance_l2`.
    var functionName: String { "vec_distance_\(rawValue)" }
}
