import Squall

/// An amount in whole cents: INTEGER, which SQL adds and orders.
struct Money: Binding, Hashable, CustomStringConvertible {
    struct TooMuch: Error {
        let amount: Money
    }

    typealias BindingType = Int64

    let cents: Int64

    var bindingValue: BindingValue { .integer(cents) }

    /// Every verb calls this function before it writes an amount.
    func checkedBindingValue() throws -> BindingValue {
        guard abs(cents) < 1_000_000_00 else { throw TooMuch(amount: self) }
        return bindingValue
    }

    static func fromBindingValue(_ value: Any) -> Money? { (value as? Int64).map(Money.init(cents:)) }

    var description: String {
        let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
