/// The steps of an undo history, for the history and for the thread that writes.
///
/// Sendable, because the variables are used only under the lock.
final class UndoSteps: @unchecked Sendable {
    private let lock = Lock()
    private var state: UndoState
    /// The error that has prevented recording on the present writer.
    private var failure: (any Error)?

    init(limit: Int) { state = UndoState(limit: limit) }

    func next(_ direction: UndoDirection) -> UndoStep? { lock.withLock { state.next(direction) } }

    func record(_ changes: Changeset, name: String?, columnNames: [Identifier: [String]]) {
        lock.withLock { state.record(changes, name: name, columnNames: columnNames) }
    }

    func recordUnknown() { lock.withLock { state.recordUnknown() } }

    func move(_ number: Int, _ direction: UndoDirection) { lock.withLock { state.move(number, direction) } }

    func removeAll() { lock.withLock { state.removeAll() } }

    func didStartRecording() { lock.withLock { failure = nil } }

    func didFail(_ error: any Error) { lock.withLock { failure = error } }

    /// Throws the error that has prevented recording.
    func checkRecording() throws {
        if let failure = lock.withLock({ failure }) { throw failure }
    }
}
