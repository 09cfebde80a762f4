extension SQL {
    /// Creates a parameter from a value, or NULL.
    init(parameter value: some StatementParameter) {
        self.init((value as? any OptionalParameter)?.settable ?? value as? any Settable)
    }
}

/// An optional parameter value.
private protocol OptionalParameter {
    var settable: (any Settable)? { get }
}

extension Optional: OptionalParameter where Wrapped: Bindable {
    var settable: (any Settable)? { self }
}
