/// A list of values for the parameters of a query: an array gives them in order, a dictionary by name.
///
///     query("… WHERE name = ? AND price > ?", ["Audi", 20_000])
///     query("… WHERE name = :name AND price > :limit", ["name": "Audi", "limit": 20_000])
///
/// A variable of such a list has the type `[(any Bindable)?]` or `[String: (any Bindable)?]`; an array of one type of values
/// is for ``SQL/StringInterpolation``: `IN \(in: ids)`. `[UInt8]` is not a list but one BLOB.
///
/// No other types conform to it.
public protocol ParameterList {
    /// The values. ``ListedValues`` has no public members.
    @_documentation(visibility: internal)
    var listedValues: ListedValues { get }
}

/// The values of a ``ParameterList``, in order or by name. It has no public members.
@_documentation(visibility: internal)
public struct ListedValues {
    enum Content {
        case inOrder([(any Bindable)?])
        case byName([String: (any Bindable)?], missingIsNull: Bool = false)
    }

    let content: Content

    var count: Int {
        switch content {
        case .inOrder(let values): values.count
        case .byName(let values, _): values.count
        }
    }

    /// The values, with NULL for each parameter that the names leave out: for SQiftCompatibility.
    package var orNull: ListedValues {
        guard case .byName(let values, _) = content else { return self }
        return ListedValues(content: .byName(values, missingIsNull: true))
    }
}

// The element types are requirements of equality: from them the compiler infers those of a literal, `[1, "x", nil]`.

extension Array: ParameterList where Element == (any Bindable)? {
    @_documentation(visibility: internal)
    public var listedValues: ListedValues { ListedValues(content: .inOrder(self)) }
}

extension Dictionary: ParameterList where Key == String, Value == (any Bindable)? {
    @_documentation(visibility: internal)
    public var listedValues: ListedValues { ListedValues(content: .byName(self)) }
}

extension Array where Element == (any Bindable)?? {
    /// The values of a form that takes a literal `nil`: whichever of the two optionals it made `nil` means NULL.
    @usableFromInline var flattened: [(any Bindable)?] { map { $0 ?? nil } }
}
