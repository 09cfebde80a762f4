import Squall

/// A value that a user has chosen, or none, which is NULL. As a parameter, its name tells why there is none.
enum Setting<Value: Bindable>: StatementParameter {
    case automatic
    case chosen(Value)

    /// The type with which a column of settings is compared.
    typealias ColumnBase = Value

    static var isOrderedInSQL: Bool { Value.isOrderedInSQL }

    func bind(to destination: BindingDestination) throws {
        switch self {
        case .automatic: try destination.bindNull()
        case .chosen(let value): try value.bindOrNull(to: destination)
        }
    }
}
