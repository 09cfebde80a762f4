/// The one in whose name a device speaks, as the server has authenticated it.
public struct SyncPrincipal: Hashable, Sendable {
    /// The name of the user.
    public let user: String

    /// - Parameter user: The name of the user, which the server has authenticated.
    public init(user: String) { self.user = user }
}
