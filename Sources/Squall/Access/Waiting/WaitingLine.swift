/// Waiters in the order of their calls. Each has a number, by which it can be removed early.
struct WaitingLine<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    /// No waiter has a lower number.
    private var first = 0
    /// The number of the next waiter.
    private var next = 0

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }

    /// - Returns: The waiter's number.
    mutating func append(_ waiter: Waiter) -> Int {
        waiters[next] = waiter
        defer { next += 1 }
        return next
    }

    /// Removes the first waiter if it fulfils a condition.
    mutating func removeFirst(where condition: (Waiter) -> Bool) -> Waiter? {
        while first < next, waiters[first] == nil { first += 1 }
        guard let waiter = waiters[first], condition(waiter) else { return nil }
        return removeFirst()
    }

    mutating func removeFirst() -> Waiter? {
        while first < next {
            defer { first += 1 }
            if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
    }

    /// Removes a waiter, and returns it; `nil` if it has left the line already.
    mutating func remove(_ number: Int) -> Waiter? { waiters.removeValue(forKey: number) }

    mutating func removeAll() -> [Waiter] {
        var removed: [Waiter] = []
        while let waiter = removeFirst() { removed.append(waiter) }
        return removed
    }
}
