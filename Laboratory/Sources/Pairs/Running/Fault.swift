import Foundation
import Squall

/// A disturbance of a transaction, of which nothing may remain.
enum Fault: Equatable, CustomStringConvertible {
    /// The closure throws after its changes.
    case error
    /// The task is cancelled in the middle.
    case cancellation(Cancellation)

    var description: String {
        switch self {
        case .error: "the closure throws"
        case .cancellation: "the task is cancelled in the middle"
        }
    }

    /// Takes effect in the middle of the changes.
    func strike() throws {
        if case .cancellation(let cancellation) = self { cancellation.cancel() }
    }

    /// Whether an error is the one of the fault.
    func expects(_ error: any Error) -> Bool {
        switch self {
        case .error: error is InjectedError
        case .cancellation: error is CancellationError
        }
    }
}

/// A write in a task, which its closure cancels.
///
/// Sendable, because the thread that makes it waits for the task, and the task uses it on one thread at a time.
final class Cancellation: Equatable, @unchecked Sendable {
    private var task: Task<Void, Never>?
    private var result: Result<Void, any Error> = .success(())
    private let isReady = DispatchSemaphore(value: 0)

    static func == (left: Cancellation, right: Cancellation) -> Bool { left === right }

    func cancel() { task?.cancel() }

    /// Waits until the closure can cancel the task, which is immediately.
    private func waitUntilReady() { isReady.wait() }

    /// Runs a transaction in a task, and waits for its end.
    func write(_ database: Database, _ body: @escaping (Connection) throws -> Void) throws {
        let isDone = DispatchSemaphore(value: 0)
        let box = BodyBox(body: body)
        task = Task.detached { [self] in
            waitUntilReady()
            do {
                try await database.write { try box.body($0) }
            } catch {
                result = .failure(error)
            }
            isDone.signal()
        }
        isReady.signal()
        isDone.wait()
        task = nil
        try result.get()
    }
}

/// Sendable, because its maker waits until the task has called it.
private struct BodyBox: @unchecked Sendable {
    let body: (Connection) throws -> Void
}
