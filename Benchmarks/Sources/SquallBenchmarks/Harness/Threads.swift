import Foundation

/// Runs a closure on a number of threads, and returns the sum of their results.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Int) throws -> Int {
    let group = DispatchGroup()
    let sum = Sum()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            sum.add(Result { try body(number) })
            group.leave()
        }
    }
    group.wait()
    return try sum.get()
}

/// A sum to which threads add, or the error of one of them.
final class Sum: @unchecked Sendable {
    // Everything under the lock.
    private let lock = NSLock()
    private var sum = 0
    private var error: (any Error)?

    func add(_ result: Result<Int, any Error>) {
        lock.withLock {
            switch result {
            case .success(let number): sum &+= number
            case .failure(let failure): error = failure
            }
        }
    }

    func get() throws -> Int {
        try lock.withLock {
            if let error { throw error }
            return sum
        }
    }
}
