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
    /// Whether the calls must succeed.
    var mustSucceed = false
    /// Makes the situation, in which the trigger is fired.
    let enter: @Sendable (Scene, Trigger) throws -> Void

    func fits(_ ground: Ground) -> Bool {
        if let grounds, !grounds.contains(ground) { return false }
        return switch requirement {
        case .nothing: true
        case .connection: ground.hasConnection
        case .writing: ground.canWrite
        case .database: ground != .own && ground != .memory
        }
    }

    static let all = plain + statements + hooks + functions + tables + closures + ends
}
