/// Rows that a closure returns one after another, and whose making can fail.
///
///     func rows(_ scan: borrowing Scan) throws -> ThrowingRows<String> {
///         let file = try FileReader(path)
///         return ThrowingRows { try file.nextLine() }
///     }
///
/// The first error ends the rows, and the statement throws it.
public struct ThrowingRows<Element>: Sequence, IteratorProtocol {
    private let make: () throws -> Element?
    private let outcome = Outcome()

    /// The error, which copies of the iterator share.
    final class Outcome {
        var error: (any Error)?
    }

    /// Rows that a closure returns, until it returns `nil`.
    public init(_ next: @escaping () throws -> Element?) {
        make = next
    }

    public mutating func next() -> Element? {
        guard outcome.error == nil else { return nil }
        do {
            return try make()
        } catch {
            outcome.error = error
            return nil
        }
    }
}

/// An iterator that ends with an error.
@usableFromInline
protocol FailableIterator {
    var failure: (any Error)? { get }
}

extension ThrowingRows: FailableIterator {
    @usableFromInline var failure: (any Error)? { outcome.error }
}
