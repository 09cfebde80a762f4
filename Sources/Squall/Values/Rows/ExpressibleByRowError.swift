#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of the initialiser of an ``ExpressibleByRow`` type that cannot be made from a row.
public struct ExpressibleByRowError: Error {
    /// The type that could not be made.
    public let type: any ExpressibleByRow.Type

    /// The columns of the row.
    public let columns: [Row.Column]

    public init(type: any ExpressibleByRow.Type, row: Row) {
        self.type = type
        self.columns = row.columns
    }
}

extension ExpressibleByRowError: CustomStringConvertible, LocalizedError {
    public var description: String { "ExpressibleByRowError: \(summary)" }

    public var errorDescription: String? { summary }

    public var failureReason: String? { "\(type) could not be initialized from Row with columns: \(columns)" }

    private var summary: String { "Failed to initialize \(type) from Row with columns: \(columns)" }
}
