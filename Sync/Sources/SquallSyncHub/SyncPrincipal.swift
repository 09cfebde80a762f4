/// The one in whose name a device speaks, as the server has authenticated it.
public struct SyncPrincipal: Hashable, Sendable {
    /// The name of the user.
    public let user: String

    public init(user: String) { self.user = user }
}
