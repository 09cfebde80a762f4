import Squall

// The types of the app that the queries name.

public nonisolated enum Status: String, Squall.Binding, Sendable {
    case new, sent
}

public nonisolated struct Address: Codable, Equatable, Sendable {
    public let city: String

    public init(city: String) {
        self.city = city
    }
}
