/// A token to end an observer of a connection with ``cancel()``.
///
/// An observer remains until it is cancelled, or its connection is closed or released. The token need not be kept.
/// Observers of a ``Database`` have a ``DatabaseObserverToken``.
public final class ObserverToken {
    private var remove: (() -> Void)?

    package init(_ remove: @escaping () -> Void) {
        self.remove = remove
    }

    /// Removes the observer. If it is being called, or is due in the same round, that call may still happen.
    public func cancel() {
        remove?()
        remove = nil
    }
}
