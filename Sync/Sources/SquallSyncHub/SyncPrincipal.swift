import Squall

/// The one in whose name a device speaks, as the server has authenticated it.
///
///     SyncPrincipal(user: "ada", values: ["team": .integer(7)])
public struct SyncPrincipal: Hashable, Sendable {
    /// The name of the user, which is `:user` in the conditions of a `SyncTable`.
    public let user: String
    /// Other values for the conditions, by their names without a colon.
    public let values: [String: BindingValue]

    /// - Parameters:
    ///   - user: The name of the user, which the server has authenticated.
    ///   - values: Other values for the conditions, by their names without a colon.
    public init(user: String, values: [String: BindingValue] = [:]) {
        self.user = user
        self.values = values
    }
}
