/// The session of a request, and the change that is to be stored after its handler.
struct SessionState<Session: Sendable>: Sendable {
    enum Change: Sendable {
        /// Store the first session of the request.
        case create(Session)
        /// Store a new value for the session of the request.
        case update(Session)
        /// Store a value under a new identifier, and delete the session of the request.
        case renew(Session)
        case delete
    }

    /// Whether the request has a session that is stored.
    private let isStored: Bool
    private(set) var value: Session?
    private(set) var change: Change?

    init(loaded value: Session? = nil) {
        isStored = value != nil
        self.value = value
    }

    mutating func set(_ value: Session) {
        switch change {
        case .renew, .delete: renew(value)
        default:
            self.value = value
            change = isStored ? .update(value) : .create(value)
        }
    }

    /// A request without a session has an identifier all the same if its cookie is that of an expired one.
    mutating func renew(_ value: Session) {
        self.value = value
        change = .renew(value)
    }

    mutating func end() {
        value = nil
        change = .delete
    }
}
