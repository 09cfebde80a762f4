/// A state of a connection or of a database in which calls are made.
struct Situation: Sendable {
    /// What the situation requires of the ground.
    enum Requirement {
        case nothing, connection, writing, database
    }

    /// The relation of the call to the closure of the ground.
    enum Time {
        /// The call is made inside it.
        case inside
        /// The call is made after it has returned.
        case after
    }

    let name: String
    var requirement = Requirement.connection
    var time = Time.inside
    /// The grounds on which it is made, if not on all that fulfil the requirement.
    var grounds: [Ground]?
    /// The scopes of the calls that are made in it.
    var scopes: [Call.Scope] = [.connection, .closure, .database]
    /// How the calls must end.
    var expectation = Expectation.anything
    /// Makes the situation, in which the trigger is fired.
    var enter: @Sendable (Scene, Trigger) throws -> Void

    /// How a call must end, besides with a result or an error of Squall.
    enum Expectation {
        case anything
        /// It returns a result, except where `ExpectedErrors` lists it: there, it throws.
        case success
        /// It throws if it uses the connection.
        case noConnection
    }

    func fits(_ call: Call, _ ground: Ground) -> Bool {
        scopes.contains(call.scope) && fits(ground) && !(time == .after && call.scope == .closure)
    }

    private func fits(_ ground: Ground) -> Bool {
        if let grounds, !grounds.contains(ground) { return false }
        return switch requirement {
        case .nothing: true
        case .connection: ground.hasConnection
        case .writing: ground.canWrite
        case .database: ground != .own && ground != .memory
        }
    }

    static let all =
        plain + statements + hooks + functions + tables + closures + databaseClosures + releases + combined + ends
}
