/// A ``Column`` without the type of its values.
@usableFromInline
struct TableColumn<Record>: Sendable {
    let name: String
    let keyPath: any PartialKeyPath<Record> & Sendable
    /// Where the field is in the record, if it is stored there.
    let offset: Int?
    let valueType: Any.Type
    /// Whether the field of a record is `nil`; no function for a type that is not optional.
    let isNil: (@Sendable (UnsafePointer<Record>) -> Bool)?
    let write: FieldWriter<Record>
    let codec: any AnyColumnCodec
    let form: AnyStorageForm?
    let definition: ColumnDefinition
    let samples: @Sendable (Int) -> [Any]
    /// `"users"."name"`. With the table's name before it, SQLite cannot take a name that no column has for text.
    var reference: SQL = ""

    @usableFromInline
    init<Value>(_ column: Column<Record, Value>) {
        name = column.name
        keyPath = column.keyPath
        offset = MemoryLayout<Record>.offset(of: column.keyPath)
        valueType = Value.self
        isNil = (Value.self as? any OptionalValue.Type).map { Self.nilTest($0, column.keyPath) }
        write = column.write
        codec = column.codec
        form = column.form
        definition = column.definition
        samples = { column.samples($0).map { $0 as Any } }
    }

    /// The type without `Optional`.
    var baseType: Any.Type { (valueType as? any OptionalValue.Type)?.wrappedType ?? valueType }

    private static func nilTest<Value: OptionalValue>(
        _ type: Value.Type, _ keyPath: any PartialKeyPath<Record> & Sendable
    ) -> @Sendable (UnsafePointer<Record>) -> Bool {
        if let offset = MemoryLayout<Record>.offset(of: keyPath) {
            return { record in
                UnsafeRawPointer(record).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee.isNil
            }
        }
        return { record in (record.pointee[keyPath: keyPath] as? Value)?.isNil ?? false }
    }
}

extension TableCore {
    /// The column of a property. Key paths are told apart by where they lead: comparing them costs ten times as much.
    func column(_ keyPath: PartialKeyPath<Record>, type: Any.Type? = nil) -> TableColumn<Record>? {
        if let type, let offset = MemoryLayout<Record>.offset(of: keyPath) {
            for column in columns where column.offset == offset && column.valueType == type { return column }
        }
        return columns.first { $0.keyPath == keyPath }
    }

    /// The column of a property.
    ///
    /// - Throws: ``SQLiteError`` when the property is in no column.
    func requireColumn(_ keyPath: PartialKeyPath<Record>) throws -> TableColumn<Record> {
        if let column = column(keyPath) { return column }
        throw noColumn(keyPath)
    }

    func noColumn(_ keyPath: PartialKeyPath<Record>) -> SQLiteError {
        .misuse(.table(definition.name, .unknownProperty("\(keyPath)")))
    }
}
