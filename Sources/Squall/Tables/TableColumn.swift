/// A ``Column`` without the type of its values.
@usableFromInline
struct TableColumn<Record>: Sendable {
    let name: String
    let keyPath: any PartialKeyPath<Record> & Sendable
    /// Where the field is in the record, if it is stored there.
    let offset: Int?
    let valueType: Any.Type
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
        write = column.write
        codec = column.codec
        form = column.form
        definition = column.definition
        samples = { column.samples($0).map { $0 as Any } }
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
        .misuse("the table \"\(definition.name)\" has no column for \(keyPath)")
    }
}
