import SquallSQLite

/// One of the places that SQLite has for a hook, shared by all who want to be called.
///
/// SQLite's own setters replace whoever was there before, in silence.
class HookSlot<Hook>: CallbackContext {
    // `@exclusivity(unchecked)` here and in the slots: the checks would be half of what calling a hook costs, and nothing is
    // passed `inout` while a hook runs.
    // Unmanaged, as in `CallbackContext`.
    @exclusivity(unchecked) var connection: Unmanaged<Connection>?

    /// The hook of SQift's setter, and then those of the observers.
    @exclusivity(unchecked) private(set) var hooks: [Hook] = []

    private var single: Hook?
    private var observers: [(number: Int, hook: Hook)] = []
    private var lastNumber = 0

    required init() {}

    /// Gives SQLite the slot's callback, again whenever the hooks change, or takes it away.
    func install(_ isOn: Bool, on handle: OpaquePointer) {}

    /// Is called before a hook is set or added.
    func willChange() {}

    /// Notes the hooks as a setting that ends with the closure that the connection is lent to. Observers that were cancelled in
    /// the meantime stay so.
    func willChange(_ setting: String) {
        connection?._withUnsafeGuaranteedRef { connection in
            connection.willChange(setting) {
                let (single, lastNumber) = (single, lastNumber)
                return { [weak self] _ in
                    self?.single = single
                    self?.observers.removeAll { $0.number > lastNumber }
                    self?.update()
                    return true
                }
            }
        }
    }

    /// Replaces the hook of SQift's setter.
    func set(_ hook: Hook?) {
        willChange()
        single = hook
        update()
    }

    func add(_ hook: Hook) -> ObserverToken {
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
        single = nil
        observers = []
        hooks = []
    }

    func connectionDidClose() {
        connectionWillClose()
    }

    func install(on handle: OpaquePointer) {
        install(!hooks.isEmpty, on: handle)
    }

    private func update() {
        hooks = (single.map { [$0] } ?? []) + observers.map(\.hook)
        connection?._withUnsafeGuaranteedRef { $0.changeCallbacks { [weak self] in self?.install(on: $0) } }
    }
}

extension Connection {
    /// The connection's own slot of a kind.
    func slot<Hook, Slot: HookSlot<Hook>>(_ type: Slot.Type) -> Slot {
        companion {
            let slot = Slot()
            slot.connection = .passUnretained(self)
            return slot
        }
    }
}

/// The name of a table, which is mostly that of the change before: to make a `String` of it costs more than to compare it.
struct CachedName {
    private var text = ""
    private var bytes = ContiguousArray<CChar>([0])

    mutating func string(_ name: UnsafePointer<CChar>?) -> String? {
        guard let name else { return nil }
        if bytes.withUnsafeBufferPointer({ strcmp($0.baseAddress ?? name, name) }) != 0 { set(name) }
        return text
    }

    @inline(never)
    private mutating func set(_ name: UnsafePointer<CChar>) {
        text = String(cString: name)
        bytes = text.utf8CString
    }
}
