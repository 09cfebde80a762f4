import Squall

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

// Distances of vectors, for which the connection needs `addVectorFunctions()`.

extension Expr<[Float]> {
    /// `vec_distance_l2(a, ?)`: the distance of a column of vectors to a vector
    ///
    ///     try connection.all(
    ///         Note.order { $0.embedding.distance(to: query).ascending }.limit(10))
    ///
    /// Every row is compared with the vector: the result is exact. See ``Squall/Connection/addVectorFunctions()``, which the
    /// connection needs, for the vectors that make the query throw.
    public func distance(to vector: [Float], _ metric: VectorMetric = .l2) -> Expr<Double> {
        Expr<Double>(real: metric.call(plain, "\(vector)"))
    }

    /// `vec_distance_l2(a, b)`: the distance of two columns of vectors
    public func distance(to other: Expr<[Float]>, _ metric: VectorMetric = .l2) -> Expr<Double> {
        Expr<Double>(real: metric.call(plain, other.plain))
    }
}

extension Expr<[Float]?> {
    /// `vec_distance_l2(a, ?)`: the distance of a column of vectors to a vector; NULL for NULL
    ///
    ///     try connection.all(
    ///         Note.order { $0.embedding.distance(to: query).ascending.nullsLast }.limit(10))
    public func distance(to vector: [Float], _ metric: VectorMetric = .l2) -> Expr<Double?> {
        Expr<Double?>(real: metric.call(plain, "\(vector)"))
    }
}

extension VectorMetric {
    fileprivate func call(_ first: SQL, _ second: SQL) -> SQL { "\(raw: functionName)(\(first), \(second))" }
}
