// Distances of vectors, for which the connection needs `addVectorFunctions()`.

extension Expr<[Float]> {
    /// `vec_distance_l2(a, ?)`: the distance of a column of vectors to a vector
    ///
    ///     try connection.all(
    ///         Note.order { $0.embedding.distance(to: query).ascending }.limit(10))
    ///
    /// Every row is compared with the vector: the result is exact. See ``Connection/addVectorFunctions()``, which the
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
