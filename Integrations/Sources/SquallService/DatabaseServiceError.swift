#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of a ``DatabaseService``.
public enum DatabaseServiceError: Error, Hashable, Sendable {
    /// Thrown when the check at the start has found damage. The file is neither migrated nor changed. The problems are
    /// SQLite's descriptions, at most 100.
    case damagedFile(path: String, problems: [String])
    /// Thrown when the database of a service is used after its shutdown has begun.
    case closed
}

extension DatabaseServiceError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .damagedFile(let path, let problems):
            "the file '\(path)' is damaged: \(problems.joined(separator: "; "))"
        case .closed: "the service of the database has shut down"
        }
    }

    public var errorDescription: String? { description }
}
