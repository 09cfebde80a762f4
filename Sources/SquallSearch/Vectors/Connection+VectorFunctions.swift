import Squall
import SquallSQLite

extension Connection {
    /// Adds the distances of vectors to SQL: `vec_distance_l2(a, b)`, `vec_distance_cosine(a, b)` and
    /// `vec_distance_dot(a, b)`; see ``VectorMetric``.
    ///
    ///     try connection.addVectorFunctions()
    ///     let nearest: [Int] = try connection.query("""
    ///         SELECT id FROM notes ORDER BY vec_distance_l2(embedding, \(query)) LIMIT 10
    ///         """)
    ///
    /// A vector is a BLOB of little-endian 32-bit floating-point numbers, which `[Float]` binds and reads. The result is REAL;
    /// NULL if an argument is NULL, which sorts before all distances. The statement fails with `SQLITE_MISMATCH` (20) for
    /// other arguments: a value that is not a BLOB, a BLOB whose length is 0 or not a multiple of 4, two vectors with different
    /// numbers of components, and a component that is infinite or NaN.
    ///
    /// The functions are deterministic and innocuous: indexes, views and triggers can call them. They replace functions of the
    /// same names, such as those of sqlite-vec, which also take other forms of vectors.
    ///
    /// - Throws: `SQLiteError` under the same conditions as `addFunction`.
    public func addVectorFunctions() throws {
        let flags = FunctionFlags(deterministic: true, directOnly: false, innocuous: true)
        for metric in VectorMetric.allCases {
            try addFunction(metric.functionName, argumentCount: 2, flags: flags) { call in
                guard let pair = try VectorPair(call, of: metric) else { return try call.result.bindNull() }
                guard let distance = pair.distance(metric) else { throw pair.infiniteError(metric) }
                try call.result.bind(distance)
            }
        }
    }
}

extension VectorPair {
    /// Reads the arguments of a function; `nil` if one is NULL.
    fileprivate init?(_ call: FunctionCall, of metric: VectorMetric) throws {
        var index = 0
        let (first, second) = (call.next(&index), call.next(&index))
        guard let left = try first.vectorBytes, let right = try second.vectorBytes else { return nil }
        guard !left.isEmpty, !right.isEmpty else { throw metric.error("a vector has at least one component") }
        let size = MemoryLayout<Float>.size
        guard left.count == right.count else {
            throw metric.error("vectors of \(left.count / size) and of \(right.count / size) components")
        }
        self.init(left: left, right: right, count: left.count / size)
    }

    fileprivate func infiniteError(_ metric: VectorMetric) -> SQLiteError {
        for index in 0..<count {
            let (a, b) = pair(at: index)
            guard a.isFinite, b.isFinite else {
                return metric.error("argument \(a.isFinite ? 2 : 1): component \(index) is \(a.isFinite ? b : a)")
            }
        }
        return metric.error("a component is not finite")
    }
}

extension SQLiteValue {
    /// The bytes of a vector, without a copy; `nil` for NULL.
    ///
    /// - Throws: `ArgumentError` for a value that is not a vector.
    fileprivate var vectorBytes: UnsafeRawBufferPointer? {
        get throws(ArgumentError) {
            switch sqlite3_value_type(pointer) {
            case SQLITE_NULL: return nil
            case SQLITE_BLOB:
                let start = sqlite3_value_blob(pointer)
                let count = Int(sqlite3_value_bytes(pointer))
                if count.isMultiple(of: MemoryLayout<Float>.size) {
                    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
                }
            default: break
            }
            throw argumentError(expecting: [Float].self)
        }
    }
}

extension VectorMetric {
    fileprivate func error(_ message: String) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "\(functionName)(): \(message)")
    }
}
