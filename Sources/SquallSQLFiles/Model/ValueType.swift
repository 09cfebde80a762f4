/// The Swift type of a value, and the form in which SQLite stores it.
struct ValueType: Hashable, Sendable {
    /// The form in which a value is stored.
    enum Form: String, Hashable, Sendable, CaseIterable {
        /// As the type itself is bound and read.
        case direct
        /// Seconds since 1970.
        case unixTime
        /// Milliseconds since 1970.
        case unixMilliseconds
        /// A Julian day number.
        case julianDay
        /// JSON of a `Codable` type.
        case json
    }

    /// The name in Swift, without `?`: `Int`, `Status`, `[String]`.
    let name: String
    let form: Form

    init(_ name: String, as form: Form = .direct) {
        self.name = name
        self.form = form
    }

    /// Returns the type in the form of the column that has it. A declaration such as `-- since: Date?` needs not repeat the form.
    func keepingForm(of column: ValueType?) -> ValueType {
        guard let column, form == .direct, column.name == name else { return self }
        return column
    }

    static let int = ValueType("Int")
    /// The type of a rowid, and of a reference to one.
    static let rowID = ValueType("Int64")
    static let double = ValueType("Double")
    static let string = ValueType("String")
    static let data = ValueType("Data")
    static let bool = ValueType("Bool")
    static let date = ValueType("Date")
}

/// The type that a comment declares for a column or a parameter: `-- placed: Date? as unixMilliseconds`.
struct TypeDeclaration: Hashable, Sendable {
    /// Whether a value can be NULL.
    enum Nullability: Hashable, Sendable {
        /// `Date`: NULL is possible unless it is excluded by proof. A parameter is not optional.
        case proved
        /// `Date?`: the value is optional.
        case optional
        /// `Date!`: the author promises that no NULL arrives. One that does is an error when the query runs.
        case promised
    }

    let type: ValueType
    let nullability: Nullability
    let location: SourceLocation
}
