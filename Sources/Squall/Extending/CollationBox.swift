#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The box that SQLite keeps for a collation.
class CollationBox: KeptObject {
    func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 { 0 }

    /// Compares texts of which one is not valid UTF-8. Invalid text sorts after all valid text, by its bytes. The order
    /// of the valid text thus remains a total order.
    @inline(never)
    fileprivate func compareInvalid(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        if String(checking: left) != nil { return -1 }
        if String(checking: right) != nil { return 1 }
        return compareBytes(left, right)
    }

    fileprivate func compareBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

/// A collation of `String`s. Its closure may use the connection.
final class TextCollation: CollationBox {
    private let collate: (String, String) -> ComparisonResult

    init(callbacks: UnsafeMutablePointer<Callbacks>, collate: @escaping (String, String) -> ComparisonResult) {
        self.collate = collate
        super.init(callbacks: callbacks)
    }

    override func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let lhs = String(checking: left), let rhs = String(checking: right) else {
            return compareInvalid(left, right)
        }
        guard callbacks.pointee.depth < Callbacks.deepest else { return compareBytes(left, right) }
        callbacks.pointee.depth &+= 1
        let wasComparing = callbacks.pointee.isComparing
        callbacks.pointee.isComparing = true
        defer {
            callbacks.pointee.isComparing = wasComparing
            callbacks.pointee.depth &-= 1
        }
        return Int32(truncatingIfNeeded: collate(lhs, rhs).rawValue)
    }
}

/// A collation whose closure receives SQLite's own memory, which a statement of the closure could change. It therefore cannot use
/// the connection.
class BorrowingCollation: CollationBox {
    @inline(__always)
    final func withoutConnection(_ collate: () -> ComparisonResult) -> Int32 {
        callbacks.withoutConnection(during: "collation") { Int32(truncatingIfNeeded: collate().rawValue) }
    }
}

/// A collation of bytes.
final class ByteCollation: BorrowingCollation {
    typealias Collate = (Span<UInt8>, Span<UInt8>) -> ComparisonResult

    private let collate: Collate

    init(callbacks: UnsafeMutablePointer<Callbacks>, collate: @escaping Collate) {
        self.collate = collate
        super.init(callbacks: callbacks)
    }

    override func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        withoutConnection { collate(left.span, right.span) }
    }
}

/// A collation of validated bytes.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
final class ValidatedCollation: BorrowingCollation {
    typealias Collate = (UTF8Span, UTF8Span) -> ComparisonResult

    private let collate: Collate

    init(callbacks: UnsafeMutablePointer<Callbacks>, collate: @escaping Collate) {
        self.collate = collate
        super.init(callbacks: callbacks)
    }

    override func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let lhs = try? UTF8Span(validating: left.span), let rhs = try? UTF8Span(validating: right.span) else {
            return compareInvalid(left, right)
        }
        return withoutConnection { collate(lhs, rhs) }
    }
}
