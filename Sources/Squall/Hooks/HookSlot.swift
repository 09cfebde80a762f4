import SquallSQLite

// # Hooks
//
// Observers, authorizers, tracing and deadlines: SQLite's callbacks of a connection, shared by several users.
//
//     let token = connection.addUpdateObserver { type, _, table, rowID in
//         print(type, table ?? "", rowID)
//     }
//     try connection.withDeadline(.seconds(1)) { try connection.run("DELETE FROM cars") }
//     token.cancel()
//
// A connection has one callback of each kind. A `HookSlot` owns it, and has the observers and the followers of
// other rooms. Its subclasses have the C functions. A slot is a companion of the connection, made at
// its first use. Deadlines, progress and busy handlers share `Interruption`, in the room Connection.
//
// A hook is called so:
// 1. `add` and a token change the list of hooks. `install` passes the C function to SQLite if the list is not empty.
// 2. SQLite calls it with the slot, which is not retained: the connection closes its handle before it releases its
//    slots.
// 3. `call(_:_:)` sets the state `inHook`, in which the verbs of the connection throw.
// 4. The hooks run in the order in which they were added.
// 5. The earlier state is restored. Then a `close` and changes of callbacks take effect that the hook has made.
//
// Invariants: Hooks run on the thread that uses the connection. Observers stay until they are cancelled, or the
// connection is closed. A connection that was returned to its pool accepts no hooks. A new authorizer expires all
// statements. One object owns the pre-update hook, `PreUpdateSlot`: SQLite's sessions share it. A claim removes the
// connection from the slots, and its end installs them again. Only a WAL hook may use the connection: its transaction
// has ended.

/// One of SQLite's hooks, shared by any number of observers.
///
/// SQLite's functions silently replace the hook that was set before. `Database+Observers.swift` adds observers to all
/// connections of a database.
class HookSlot<Hook>: CallbackContext {
    // `@exclusivity(unchecked)` here and in the subclasses: the checks would be half of the cost of calling a hook, and
    // no property is passed `inout` while a hook runs.
    @exclusivity(unchecked) var connection: Unmanaged<Connection>?

    /// The closures of the observers.
    @exclusivity(unchecked) private(set) var hooks: [Hook] = []

    /// The followers that receive the event of this hook: of a commit after the hooks, of other events before them.
    @exclusivity(unchecked) private(set) var followers: [any ConnectionFollower] = []

    /// The event of followers that this hook reports, if any.
    class var event: FollowedEvents { [] }

    private var observers: [(number: Int, hook: Hook)] = []
    private var lastNumber = 0

    required init() {}

    /// Installs the slot's callback in SQLite, again whenever the hooks change, or removes it.
    func install(_ isOn: Bool, on handle: OpaquePointer) {}

    func stopReceivingRows(on handle: OpaquePointer) {}

    /// Called before a hook is added.
    func willChange() {}

    /// Records the hooks as a setting that ends with the closure to which the connection is lent. Observers that were
    /// cancelled in the meantime stay cancelled.
    func willChange(_ setting: String) {
        connection?._withUnsafeGuaranteedRef { connection in
            connection.willChange(setting) {
                let lastNumber = lastNumber
                return { [weak self] _ in
                    self?.observers.removeAll { $0.number > lastNumber }
                    self?.update()
                    return true
                }
            }
        }
    }

    /// Whether the closure to which the connection was lent has returned. A hook would be called by the next one.
    private var isReturned: Bool { connection?._withUnsafeGuaranteedRef { $0.access == .returned } ?? false }

    func add(_ hook: Hook) -> ObserverToken {
        if isReturned { return ObserverToken {} }
        willChange()
        lastNumber += 1
        let number = lastNumber
        observers.append((number, hook))
        update()
        return ObserverToken { [weak self] in
            self?.observers.removeAll { $0.number == number }
            self?.update()
        }
    }

    func connectionWillClose() {
        observers = []
        hooks = []
        followers = []
    }

    func connectionDidClose() {
        connectionWillClose()
    }

    func install(on handle: OpaquePointer) {
        install(!hooks.isEmpty || !followers.isEmpty, on: handle)
    }

    fileprivate func setFollowers(_ followers: [any ConnectionFollower]) {
        self.followers = followers
        installLater()
    }

    private func update() {
        hooks = observers.map(\.hook)
        installLater()
    }

    /// Calls a closure with each follower and the connection; not during a claim.
    @inline(__always)
    func callFollowers(_ body: (any ConnectionFollower, Connection) -> Void) {
        if followers.isEmpty { return }
        connection?._withUnsafeGuaranteedRef { connection in
            for follower in followers { body(follower, connection) }
        }
    }

    private func installLater() {
        connection?._withUnsafeGuaranteedRef { $0.changeCallbacks { [weak self] in self?.install(on: $0) } }
    }
}

extension Connection {
    /// Returns the connection's slot of a kind.
    func slot<Hook, Slot: HookSlot<Hook>>(_ type: Slot.Type) -> Slot {
        companion {
            let slot = Slot()
            slot.connection = .passUnretained(self)
            return slot
        }
    }
}

// MARK: - Followers

extension Connection {
    /// Adds a follower, and the hooks of SQLite that report its events.
    package func follow(_ follower: any ConnectionFollower) {
        followers.insert(follower)
        updateSlots(for: follower.events)
    }

    package func unfollow(_ follower: any ConnectionFollower) {
        followers.remove(follower)
        updateSlots(for: follower.events)
    }

    private func updateSlots(for events: FollowedEvents) {
        updateSlot(CommitSlot.self, for: events)
        updateSlot(RollbackSlot.self, for: events)
        updateSlot(PreUpdateSlot.self, for: events)
        updateSlot(AuthorizerSlot.self, for: events)
        updateSlot(WALSlot.self, for: events)
    }

    private func updateSlot<Hook, Slot: HookSlot<Hook>>(_ type: Slot.Type, for events: FollowedEvents) {
        guard events.contains(Slot.event) else { return }
        slot(type).setFollowers(followers[Slot.event])
    }
}

/// The name of a table, which usually equals that of the change before. Making a `String` of it costs more than comparing it.
package struct CachedName {
    private var text = ""
    private var bytes = ContiguousArray<CChar>([0])

    package init() {}

    package mutating func string(_ name: UnsafePointer<CChar>?) -> String? {
        guard let name else { return nil }
        if !equals(name) { set(name) }
        return text
    }

    package func equals(_ name: UnsafePointer<CChar>) -> Bool {
        bytes.withUnsafeBufferPointer { strcmp($0.baseAddress ?? name, name) } == 0
    }

    @inline(never)
    private mutating func set(_ name: UnsafePointer<CChar>) {
        text = String(cString: name)
        bytes = text.utf8CString
    }
}
