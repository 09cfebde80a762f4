/// A column of a declared ``Table``: its name, its property, and its constraints.
///
///     Column("email", \User.email, .unique)        // "email" TEXT UNIQUE
///
/// The type of the property determines the type of the column. The column is `NOT NULL` unless the property is optional.
public struct Column<Record, Value>: Sendable {
    let name: String
    @usableFromInline let keyPath: any KeyPath<Record, Value> & Sendable
    @usableFromInline let codec: ColumnCodec<Value>
    let write: FieldBinder
    let form: AnyStorageForm?
    let definition: ColumnDefinition
    let samples: @Sendable (Int) -> [Value]

    /// A column of a type that is stored as it is.
    @inlinable
    public init(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, _ constraints: ColumnConstraint<Value>...
    ) where Value: ColumnStorable {
        // The codec is made here, where the compiler knows the type, so that no value needs a generic call.
        self.init(name, keyPath, .plain(), write: FieldBinder(keyPath), constraints)
    }

    /// Explains the error for a property whose type cannot be stored as it is.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message:
            "a column needs a Binding: write `extension Kind: Binding {}` (enough for raw values), or Column(…, as: .json)"
    )
    @_disfavoredOverload
    public init(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, _ constraints: ColumnConstraint<Value>...
    ) {
        let form = StorageForm<Value>(name, type: "", encode: { _ in .null }, decode: { _ in nil })
        self.init(name, keyPath, as: form)
    }

    /// A column that stores its values in a form: `Column("added", \User.added, as: .unixMilliseconds)`.
    @_disfavoredOverload  // an optional is stored as NULL, and not as the `null` of JSON
    public init(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, as form: StorageForm<Value>,
        _ constraints: ColumnConstraint<Value>...
    ) {
        let definition = ColumnDefinition(name: name, type: form.type, notNull: .init())
        self.init(
            name, keyPath, form.codec, form: form.erased, now: form.now, definition: definition, constraints,
            encode: { SQL(encoding: $0, form.encode) }, samples: { Samples.of(Value.self, number: $0) }
        )
    }

    /// A column that stores its values in a form, or NULL.
    public init<Wrapped>(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, as form: StorageForm<Wrapped>,
        _ constraints: ColumnConstraint<Value>...
    ) where Value == Wrapped? {
        let definition = ColumnDefinition(name: name, type: form.type)
        self.init(
            name, keyPath, form.optionalCodec, form: form.erased, now: form.now, definition: definition, constraints,
            encode: { value in value.map { SQL(encoding: $0, form.encode) } ?? "NULL" },
            samples: { Samples.of(Value.self, number: $0) }
        )
    }

    /// Explains the error for a form that would store `nil` as a value: conditions, updates and relations take `nil` for NULL.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "nil is stored as NULL: use a StorageForm of the type without `?`")
    @_disfavoredOverload
    public init<Wrapped>(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, as form: StorageForm<Wrapped?>,
        _ constraints: ColumnConstraint<Value>...
    ) where Value == Wrapped? {
        self.init(
            name, keyPath, form.codec, form: form.erased, now: nil,
            definition: ColumnDefinition(name: name, type: form.type), constraints, encode: { _ in "NULL" },
            samples: { _ in [] })
    }
}

extension Column {
    @usableFromInline
    init(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, _ codec: ColumnCodec<Value>,
        write: FieldBinder, _ constraints: [ColumnConstraint<Value>]
    ) where Value: ColumnStorable {
        let isOptional = Value.self != Value.ColumnBase.self
        var definition = ColumnDefinition(
            name: name, type: SQLType.name(of: Value.ColumnBase.self), notNull: isOptional ? nil : .init()
        )
        let now = InsertTime.sql(of: Value.ColumnBase.self)
        for constraint in constraints { constraint.apply(to: &definition, now: now) { SQL(parameter: $0) } }
        definition.checkDefault(of: Value.ColumnBase.self, now: now) {
            SQL(parameter: try codec.read($0)).parameters.first ?? .null
        }
        self.name = name
        self.keyPath = keyPath
        self.codec = codec
        self.write = write
        self.form = nil
        self.definition = definition
        self.samples = { Samples.of(Value.self, number: $0) }
    }

    private init(
        _ name: String, _ keyPath: any KeyPath<Record, Value> & Sendable, _ codec: ColumnCodec<Value>,
        form: AnyStorageForm?, now: SQL?, definition: ColumnDefinition, _ constraints: [ColumnConstraint<Value>],
        encode: (Value) -> SQL, samples: @escaping @Sendable (Int) -> [Value]
    ) {
        var definition = definition
        for constraint in constraints { constraint.apply(to: &definition, now: now, writing: encode) }
        definition.checkDefault(of: Value.self, now: now) { value in
            let rewritten = encode(try codec.read(value)).parameters.first ?? .null
            // A JSON text has many spellings. It must only be read.
            return form?.isJSON == true ? value.bindingValue : rewritten
        }
        self.name = name
        self.keyPath = keyPath
        self.codec = codec
        self.write = FieldBinder(keyPath, codec.bind)
        self.form = form
        self.definition = definition
        self.samples = samples
    }
}

extension SQL {
    fileprivate init<Value>(encoding value: Value, _ encode: (Value) throws -> BindingValue) {
        do {
            self = "\(try encode(value))"
        } catch {
            self = "NULL"
            fail(error)
        }
    }
}

/// A type that a column of a declared table stores without a named form: a ``Binding``, `[UInt8]`, `[Float]`, or an
/// optional of these, whose `nil` is NULL. An enum with raw values stores its raw value.
///
/// For any other type, name a form: `Column("tags", \User.tags, as: .json)`.
///
/// The two protocols are those of a value that is read from SQLite (also as the argument of a function) and of a value that is
/// bound to a statement.
public typealias ColumnStorable = FunctionArgument & StatementParameter
