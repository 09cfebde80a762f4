import HummingbirdSquall

/// Invitations, each of which can be used three times in an hour: values with an expiry, in the table of the sessions.
struct Invitations {
    let persist: SquallPersistDriver

    private func key(_ name: String) -> String { "invitation.\(name)" }

    func invite(_ name: String) async throws {
        try await persist.create(key: key(name), value: 3, expires: .seconds(3_600))
    }

    /// Uses an invitation, and returns a line for its guest.
    func use(_ name: String) async throws -> String {
        guard let (uses, left) = try await persist.getWithTTL(key: key(name), as: Int.self), let left else {
            return "no invitation"
        }
        if uses > 1 {
            // It expires as before.
            try await persist.replace(key: key(name), value: uses - 1)
            return "welcome, \(uses - 1) left for \(left > .seconds(3_500) ? "an hour" : "a short time")"
        }
        try await persist.remove(key: key(name))
        return "welcome, for the last time"
    }
}
