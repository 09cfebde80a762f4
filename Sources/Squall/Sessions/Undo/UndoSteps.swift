/// The steps of an undo history, for the history and for the thread that writes.
final class UndoSteps: Sendable {
    private let state: Locked<UndoState>
    /// The error that has prevented recording on the present writer.
    private let failure = Locked<(any Error)?>(nil)

    init(limit: Int) { state = Locked(UndoState(limit: limit)) }

    func next(_ direction: UndoDirection) -> UndoStep? { state.withLock { $0.next(direction) } }

    func record(_ changes: Changeset, name: String?, columnNames: [Identifier: [String]]) {
        state.withLock { $0.record(changes, name: name, columnNames: columnNames) }
    }

    func recordUnknown() { state.withLock { $0.recordUnknown() } }

    func move(_ number: Int, _ direction: UndoDirection) { state.withLock { $0.move(number, direction) } }

    func removeAll() { state.withLock { $0.removeAll() } }

    func didStartRecording() { failure.withLock { $0 = nil } }

    func didFail(_ error: any Error) { failure.withLock { $0 = error } }

    /// Throws the error that has prevented recording.
    func checkRecording() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
