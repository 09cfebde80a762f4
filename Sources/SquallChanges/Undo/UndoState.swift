import Squall

/// A committed transaction in an undo history.
struct UndoStep: Sendable {
    /// The identity of the step in its history.
    let number: Int
    let name: String?
    let changes: Changeset
    /// The names of the columns of each table when the step was recorded.
    let columnNames: [Identifier: [String]]
}

/// The direction in which a history moves.
enum UndoDirection: Sendable {
    case undo, redo
}

/// The steps of an undo history. It has neither a lock nor a connection: ``UndoSteps`` has the lock.
///
/// A step is in one of two stacks. Undoing moves it to the other, and redoing moves it back.
struct UndoState {
    let limit: Int
    private var undoable: [UndoStep] = []
    private var redoable: [UndoStep] = []
    private var lastNumber = 0

    init(limit: Int) { self.limit = limit }

    /// Returns the step that is undone or redone next.
    func next(_ direction: UndoDirection) -> UndoStep? {
        switch direction {
        case .undo: undoable.last
        case .redo: redoable.last
        }
    }

    /// Adds the step of a commit, and forgets those that could be redone. The oldest step is forgotten beyond the limit.
    mutating func record(_ changes: Changeset, name: String?, columnNames: [Identifier: [String]]) {
        lastNumber += 1
        redoable = []
        undoable.append(UndoStep(number: lastNumber, name: name, changes: changes, columnNames: columnNames))
        if undoable.count > limit { undoable.removeFirst() }
    }

    /// A commit has changed rows in a way that is not known: nothing can be redone after it.
    mutating func recordUnknown() { redoable = [] }

    /// Moves a step that was undone or redone, unless it has been forgotten in the meantime.
    mutating func move(_ number: Int, _ direction: UndoDirection) {
        guard next(direction)?.number == number else { return }
        switch direction {
        case .undo: redoable.append(undoable.removeLast())
        case .redo: undoable.append(redoable.removeLast())
        }
    }

    mutating func removeAll() {
        undoable = []
        redoable = []
    }
}

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
