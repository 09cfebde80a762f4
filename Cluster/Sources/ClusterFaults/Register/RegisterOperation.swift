/// An operation on a register, and the times at which it was called and returned.
struct RegisterOperation: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        case write(Int)
        case read(Int)
        /// Writes `new` if the value is `expected`. The value that was found is unknown if the outcome is.
        case exchange(expected: Int, new: Int, found: Int?)
    }

    let client: Int
    let action: Action
    let call: Duration
    /// The time of the return; `nil` if the outcome is unknown. The operation may then take effect at any time after
    /// its call, or never.
    let end: Duration?

    /// Returns the value of the register after the operation; `nil` if the operation could not have had its result.
    func value(after value: Int) -> Int? {
        switch action {
        case .write(let new): return new
        case .read(let found): return found == value ? value : nil
        case .exchange(let expected, let new, let found):
            if let found, found != value { return nil }
            return value == expected ? new : value
        }
    }

    /// The value that the operation may write.
    var written: Int? {
        switch action {
        case .write(let new), .exchange(_, let new, _): new
        case .read: nil
        }
    }

    /// The values that the result of the operation depends on.
    var seen: [Int] {
        switch action {
        case .write: []
        case .read(let found): [found]
        case .exchange(let expected, _, let found): [expected] + (found.map { [$0] } ?? [])
        }
    }

    /// Whether the operation, if it returned, found a value and left it.
    var onlyReads: Bool {
        switch action {
        case .read: true
        case .exchange(let expected, _, let found?): found != expected
        case .write, .exchange: false
        }
    }
}

extension RegisterOperation: CustomStringConvertible {
    var description: String {
        let what =
            switch action {
            case .write(let new): "writes \(new)"
            case .read(let found): "reads \(found)"
            case .exchange(let expected, let new, let found):
                "writes \(new) if it finds \(expected), and finds \(found.map { "\($0)" } ?? "an unknown value")"
            }
        return "client \(client) \(what), from \(call) to \(end.map { "\($0)" } ?? "any time")"
    }
}
