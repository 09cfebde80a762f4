/// A message about a place in a file, which build systems show at that place.
public struct Diagnostic: Error, Hashable, Sendable {
    /// The weight of a message.
    public enum Severity: String, Sendable {
        case error, warning, note
    }

    public let location: SourceLocation
    public let severity: Severity
    public let message: String

    init(_ severity: Severity, _ message: String, at location: SourceLocation) {
        self.location = location
        self.severity = severity
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The message as compilers write it: `cars.sql:3:8: error: no such column: prize`.
    public var description: String { "\(location): \(severity.rawValue): \(message)" }
}

/// The diagnostics because of which nothing is generated.
public struct DiagnosticsError: Error, Sendable {
    public let diagnostics: [Diagnostic]

    init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }
}
