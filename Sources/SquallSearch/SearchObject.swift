import Squall

/// An object that SQLite keeps for a connection, such as the box of a tokenizer, and releases when it needs it no longer.
///
/// It is what `KeptObject` is in Squall, which can have no subclass in another module. Its `deinit` cannot use the connection.
@usableFromInline
class SearchObject {
    final let callbacks: UnsafeMutablePointer<Callbacks>

    init(callbacks: UnsafeMutablePointer<Callbacks>) {
        self.callbacks = callbacks
    }

    /// Returns a pointer for SQLite, which owns the object until it calls ``release``.
    final func retained() -> UnsafeMutableRawPointer { Unmanaged<SearchObject>.passRetained(self).toOpaque() }

    /// The function with which SQLite releases an object.
    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
        guard let pointer else { return }
        let object = Unmanaged<SearchObject>.fromOpaque(pointer)
        let callbacks = object._withUnsafeGuaranteedRef { $0.callbacks }
        callbacks.withoutConnection(during: "deinit that SQLite calls") { object.release() }
    }
}
