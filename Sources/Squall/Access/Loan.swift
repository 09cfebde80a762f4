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
}

extension Loan.Kind: Equatable {}
