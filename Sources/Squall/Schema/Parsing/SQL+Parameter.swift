extension SQL {
    /// A value as a parameter, or NULL.
    init(parameter value: some StatementParameter) {
        self.init((value as? any OptionalParameter)?.settable ?? value as? any Settable)
    }
}

/// An optional value for a parameter.
private protocol OptionalParameter {
    var settable: (any Settable)? { get }
}

extension Optional: OptionalParameter where Wrapped: Bindable {
    var settable: (any Settable)? { self }
}
