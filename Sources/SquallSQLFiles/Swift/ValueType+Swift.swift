extension ValueType {
    /// The type that Squall binds and reads: `UnixTime`, `JSONBinding<Address>`.
    var storedName: String {
        switch form {
        case .direct: name
        case .unixTime: "UnixTime"
        case .unixMilliseconds: "UnixMilliseconds"
        case .julianDay: "JulianDay"
        case .json: "JSONBinding<\(name)>"
        }
    }

    /// The property of the stored type that has the value; `nil` where the type is stored as it is.
    private var property: String? {
        switch form {
        case .direct: nil
        case .unixTime, .unixMilliseconds, .julianDay: "date"
        case .json: "value"
        }
    }

    /// Returns an expression, after `try`, for the value of another expression whose type its context chooses.
    func reading(_ expression: String, isOptional: Bool) -> String {
        if form == .direct { return expression }
        return "(\(expression) as \(storedName)\(isOptional ? "?" : ""))" + access(isOptional: isOptional)
    }

    /// Returns the access to the value of a stored value: `.date`, `?.value`, or nothing.
    func access(isOptional: Bool) -> String {
        property.map { "\(isOptional ? "?" : "").\($0)" } ?? ""
    }

    /// Returns an expression for a value as it is bound.
    func binding(_ value: String, isOptional: Bool, isList: Bool = false) -> String {
        if form == .direct { return value }
        // The types of JSON are inferred.
        let constructor = form == .json ? "JSONBinding" : storedName
        switch (isList, isOptional) {
        case (false, false): return "\(constructor)(\(value))"
        case (false, true), (true, false): return "\(value).map(\(constructor).init)"
        case (true, true): return "\(value).map { $0.map(\(constructor).init) }"
        }
    }

    /// Whether values of the type are known to be `Hashable`: of `[String: Int]`, because all parts are.
    var isHashable: Bool { identifiers.allSatisfy(Self.hashableNames.contains) }

    private static let hashableNames: Set<String> = [
        "Bool", "Int", "Int64", "Double", "String", "Data", "Date", "UUID", "Decimal", "Array", "Dictionary", "Set",
        "Optional",
    ]

    /// Whether a query can return the type itself. The others are read from a column of a row.
    var isQueryResult: Bool { !name.hasPrefix("[") || form == .json }

    /// The identifiers in the name: of `[String: Status]`, `String` and `Status`.
    var identifiers: [String] {
        name.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
    }
}

extension ValueType: CustomStringConvertible {
    /// The type as comments declare it: `Date as unixMilliseconds`.
    var description: String { form == .direct ? name : "\(name) as \(form.rawValue)" }
}
