/// A seat for the time of a closure.
@usableFromInline
struct Loan {
    enum Kind {
        case outermost
        /// The thread had the seat already, for the same.
        case nested
        /// A read inside a write; with a transaction of its own, when the write has none.
        case insideWrite(beginsTransaction: Bool)
    }

    @usableFromInline let seat: Seat
    let kind: Kind

    /// Runs a closure with the connection, under a deadline if there is one.
    @inlinable
    @inline(__always)
    func run<Result>(
        until deadline: ContinuousClock.Instant?, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        guard let deadline else { return try closure(seat.connection) }
        return try seat.connection.withDeadline(at: deadline) { try closure(seat.connection) }
    }
}

extension Loan.Kind: Equatable {}
