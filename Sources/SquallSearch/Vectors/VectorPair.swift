import Squall

/// Two vectors of the same number of components, in the memory of SQLite: little-endian `Float`s, not aligned.
struct VectorPair {
    let left: UnsafeRawBufferPointer
    let right: UnsafeRawBufferPointer
    let count: Int

    // 32 components in each round: two sums of 16, so that an addition need not wait for the one before it. Two sums take
    // 0.8× the time of one, four take as long as two.

    private typealias Block = SIMD16<Float>

    private static let step = 2 * Block.scalarCount

    /// The bytes of the components of whole rounds.
    @inline(__always)
    private var blockBytes: Int { (count - count % Self.step) * MemoryLayout<Float>.size }

    @inline(__always)
    private func blocks(at offset: Int) -> (Block, Block) {
        (
            left.loadUnaligned(fromByteOffset: offset, as: Block.self),
            right.loadUnaligned(fromByteOffset: offset, as: Block.self)
        )
    }

    /// The components at an index.
    @inline(__always)
    func pair(at index: Int) -> (Float, Float) {
        let offset = index * MemoryLayout<Float>.size
        let a = left.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let b = right.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return (Float(bitPattern: UInt32(littleEndian: a)), Float(bitPattern: UInt32(littleEndian: b)))
    }

    /// Adds a term of each pair of components.
    @inline(__always)
    private func sum(_ block: (Block, Block) -> Block, _ single: (Float, Float) -> Float) -> Float {
        var index = 0
        var total: Float = 0
        #if _endian(little)
            var (first, second) = (Block.zero, Block.zero)
            var offset = 0
            let (end, width) = (blockBytes, MemoryLayout<Block>.size)
            while offset < end {
                let (a, b) = blocks(at: offset)
                first += block(a, b)
                let (c, d) = blocks(at: offset &+ width)
                second += block(c, d)
                offset &+= 2 &* width
            }
            index = end / MemoryLayout<Float>.size
            total = (first + second).sum()
        #endif
        while index < count {
            let (a, b) = pair(at: index)
            total += single(a, b)
            index &+= 1
        }
        return total
    }

    private var squaredDifference: Float {
        sum(
            { a, b in
                let difference = a - b
                return difference * difference
            },
            { a, b in (a - b) * (a - b) })
    }

    private var product: Float { sum({ a, b in a * b }, { a, b in a * b }) }

    /// The product and the squares of the lengths, in one pass. Three sums of eight components fit into the registers.
    private var cosineSums: (product: Float, left: Float, right: Float) {
        typealias Block = SIMD8<Float>
        var index = 0
        var (product, left, right): (Float, Float, Float) = (0, 0, 0)
        #if _endian(little)
            var (products, lefts, rights) = (Block.zero, Block.zero, Block.zero)
            let end = count - count % Block.scalarCount
            while index < end {
                let offset = index &* MemoryLayout<Float>.size
                let a = self.left.loadUnaligned(fromByteOffset: offset, as: Block.self)
                let b = self.right.loadUnaligned(fromByteOffset: offset, as: Block.self)
                products += a * b
                lefts += a * a
                rights += b * b
                index &+= Block.scalarCount
            }
            (product, left, right) = (products.sum(), lefts.sum(), rights.sum())
        #endif
        while index < count {
            let (a, b) = pair(at: index)
            product += a * b
            left += a * a
            right += b * b
            index &+= 1
        }
        return (product, left, right)
    }
}

extension VectorPair {
    /// Returns the distance; `nil` if a component is infinite or NaN.
    func distance(_ metric: VectorMetric) -> Double? {
        switch metric {
        case .l2:
            let sum = Double(squaredDifference)
            if Self.isReliable(sum) { return sum.squareRoot() }
        case .dot:
            let product = Double(product)
            if Self.isReliable(product) { return -product }
        case .cosine:
            let sums = cosineSums
            let (product, left, right) = (Double(sums.product), Double(sums.left), Double(sums.right))
            if product.isFinite, Self.isReliable(left), Self.isReliable(right) {
                return Self.cosineDistance(product, left, right)
            }
        }
        return exactDistance(metric)
    }

    /// Returns whether a sum of `Float`s is finite, and large enough that no term was too small for a `Float`.
    private static func isReliable(_ sum: Double) -> Bool { (1e-30..<1e38).contains(abs(sum)) }

    private static func cosineDistance(_ product: Double, _ left: Double, _ right: Double) -> Double {
        // Rounding may lead out of the range.
        Swift.min(2, Swift.max(0, 1 - product / (left.squareRoot() * right.squareRoot())))
    }

    /// Returns the distance computed in `Double`, in which no square of a `Float` overflows; `nil` if a component is infinite
    /// or NaN.
    private func exactDistance(_ metric: VectorMetric) -> Double? {
        var (squares, product, leftSquares, rightSquares) = (0.0, 0.0, 0.0, 0.0)
        for index in 0..<count {
            let (a, b) = pair(at: index)
            guard a.isFinite, b.isFinite else { return nil }
            let (left, right) = (Double(a), Double(b))
            squares += (left - right) * (left - right)
            product += left * right
            leftSquares += left * left
            rightSquares += right * right
        }
        switch metric {
        case .l2: return squares.squareRoot()
        // Not `-product`, which would be -0 for 0.
        case .dot: return 0 - product
        case .cosine:
            guard leftSquares > 0, rightSquares > 0 else { return 1 }
            return Self.cosineDistance(product, leftSquares, rightSquares)
        }
    }
}
