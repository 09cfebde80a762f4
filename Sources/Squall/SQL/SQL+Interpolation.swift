extension SQL: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) {
        self.init(head: text)
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL(head: "")

        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.reserveCapacity(2 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            sql.append(literal)
        }

        mutating func append(_ table: any TableParameter) {
            sql.append(table)
        }

        /// Whether the text until now ends with the operator `IN`.
        var endsWithIN: Bool { sql.endsWithIN }

        package mutating func fail(_ error: any Error) {
            sql.fail(error)
        }

        // Not generic: the compiler would prefer these forms to generic ones, for values of every type.

        /// Binds a value.
        public mutating func appendInterpolation(_ value: any Bindable) {
            bind(value)
        }

        /// Binds a value, or NULL.
        public mutating func appendInterpolation(_ value: (any Bindable)?) {
            if let value { bind(value) } else { sql.append(.null) }
        }

        /// Binds a value, or NULL if either optional is `nil`.
        public mutating func appendInterpolation(_ value: (any Bindable)??) {
            if let value = value ?? nil { bind(value) } else { sql.append(.null) }
        }

        /// Reserves a BLOB of zeros: `zeroblob(?)`.
        public mutating func appendInterpolation(_ zeros: ZeroBlob) {
            if zeros.count < 0 { sql.fail(zeros.negativeCountError) }
            sql.append("zeroblob(")
            sql.append(.integer(Int64(zeros.count)))
            sql.append(")")
        }

        /// Binds a value, or a default for `nil`.
        public mutating func appendInterpolation(
            _ value: (some Bindable)?, default other: @autoclosure () -> some Bindable
        ) {
            if let value { bind(value) } else { bind(other()) }
        }

        /// Appends other SQL with its parameters.
        public mutating func appendInterpolation(_ sql: SQL) {
            self.sql += sql
        }

        /// Splices text unchanged. The text becomes part of the SQL: never pass input.
        public mutating func appendInterpolation(raw text: some StringProtocol) {
            sql.append(String(text))
        }

        /// Quotes an identifier, and doubles each `"` in it: `"order"`. An identifier with a NUL character makes the
        /// SQL throw.
        public mutating func appendInterpolation(name: some StringProtocol) {
            if name.utf8.contains(0) {
                sql.fail(SQLiteError.misuse(.nulCharacter(in: .identifier)))
            }
            sql.append("\"\(String(name).doubling("\""))\"")
        }

        /// Appends a list for `IN`, in parentheses; `()` for no values.
        ///
        /// The list is padded to the next power of two by repeating its last value. Lists of all lengths therefore
        /// produce few different texts and cached statements.
        ///
        /// The list is not padded beyond 32,766 parameters. It is not padded at all in a statement that would then
        /// exceed its connection's limit of parameters. A list of integers and texts that is still too long is bound as
        /// one parameter, as JSON: `(SELECT +value FROM json_each(?))`.
        public mutating func appendInterpolation(in values: some Sequence<some Bindable>) {
            appendList(values.map { $0 as any Bindable })
        }

        /// Appends a list of values of different types for `IN`, in parentheses; `()` for no values.
        public mutating func appendInterpolation(in values: some Sequence<any Bindable>) {
            appendList(Array(values))
        }

        /// Makes the SQL throw for a value that cannot be bound. This overload keeps such a literal a `SQL`. Without
        /// it, the compiler would make the literal a `String` and splice the value.
        @available(
            *, deprecated,
            message: "unless this value is Bindable after all, the SQL will throw; for a list use \\(in:)"
        )
        public mutating func appendInterpolation<T>(_ value: T) {
            if let value = value as? any Bindable {
                bind(value)
            } else if let value = value as? any OptionalInterpolation, value.isDeeplyNil {
                sql.append(.null)
            } else {
                refuse(T.self)
            }
        }

        /// Makes the SQL throw for a value with a default that cannot be bound.
        @available(*, deprecated, message: "this value cannot be bound, and the SQL will throw")
        public mutating func appendInterpolation<T, Other>(_ value: T?, default other: @autoclosure () -> Other) {
            refuse(T.self)
        }

        private mutating func refuse<T>(_ type: T.Type) {
            sql.append("?")
            sql.fail(
                SQLiteError.misuse(.unbindable(type: "\(type)"), hint: "\\(in:) binds a list"))
        }

        private mutating func bind(_ value: some Bindable) {
            do {
                sql.append(try value.checkedBindingValue())
            } catch {
                sql.append("?")
                sql.fail(error)
            }
        }

        private mutating func appendList(_ values: [any Bindable]) {
            var count = 1
            while count < values.count { count *= 2 }
            // The default limit of SQLite.
            count = Swift.min(count, Swift.max(values.count, 32_766))
            do {
                sql.append(list: try values.map { try $0.checkedBindingValue() }, count: count)
            } catch {
                sql.append("(?)")
                sql.fail(error)
            }
        }
    }
}

/// An optional whose type is known only when the program runs.
private protocol OptionalInterpolation {
    /// Whether the value is `nil` at any depth of optionals.
    var isDeeplyNil: Bool { get }
}

extension Optional: OptionalInterpolation {
    var isDeeplyNil: Bool {
        switch self {
        case nil: true
        case .some(let value): (value as? any OptionalInterpolation)?.isDeeplyNil ?? false
        }
    }
}
