/// An object that SQLite keeps for a connection, such as the box of a function, of a table or of a tokenizer, and releases when it needs it
/// no longer.
///
/// It may be the last owner of objects of the user, whose `deinit` is then code that SQLite calls, at any time: a module is released while a
/// statement is compiled. SQLite has not yet removed what it releases. The `deinit` therefore cannot use the connection, and if it closes
/// the connection, this waits until SQLite has returned.
@usableFromInline
package class KeptObject {
    final let callbacks: UnsafeMutablePointer<Callbacks>

    init(callbacks: UnsafeMutablePointer<Callbacks>) {
        self.callbacks = callbacks
    }

    /// Returns a pointer for SQLite, which owns the object until it calls ``release``.
    final func retained() -> UnsafeMutableRawPointer { Unmanaged<KeptObject>.passRetained(self).toOpaque() }

    /// The function with which SQLite releases an object.
    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
        guard let pointer else { return }
        let object = Unmanaged<KeptObject>.fromOpaque(pointer)
        let callbacks = object._withUnsafeGuaranteedRef { $0.callbacks }
        callbacks.withoutConnection(during: "deinit that SQLite calls") { object.release() }
    }
}

/// The memory of a connection's ``Callbacks``, and what calls of SQLite leave for the connection. The connection owns it, and a claim, which
/// can outlive the connection and then closes the handle.
final class CallbackMemory {
    let pointer: UnsafeMutablePointer<Callbacks>

    /// The work that waits for the end of the outermost call.
    var postponed: [PostponedWork] = []

    /// The changes of callbacks that hooks have requested. They are made when the outermost hook returns.
    @exclusivity(unchecked) var changes: [(OpaquePointer) -> Void] = []

    /// The last operation that an authorizer has denied.
    var denial: String?

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: Callbacks())
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
