/// An observer of a connection, to be ended by ``cancel()``.
///
/// An observer stays until then, or until its connection goes; the token need not be kept.
public final class ObserverToken {
    private var remove: (() -> Void)?

    init(_ remove: @escaping () -> Void) {
        self.remove = remove
    }

    /// Removes the observer. One that is being called, or that is to be called in the same round, may be called still.
    public func cancel() {
        remove?()
        remove = nil
    }
}
