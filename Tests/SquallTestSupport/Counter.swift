/// How many states there have been, and are.
package final class Counter {
    package fileprivate(set) var made = 0
    package fileprivate(set) var alive = 0

    package init() {}
}

/// A state, for as long as it lives.
package final class Counted {
    private let counter: Counter
    package var sum = 0

    package init(_ counter: Counter) {
        self.counter = counter
        counter.made += 1
        counter.alive += 1
    }

    deinit {
        counter.alive -= 1
    }
}
