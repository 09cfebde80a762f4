/// A ``Column`` without the type of its values.
@usableFromInline
package struct TableColumn<Record>: Sendable {
    package let name: String
    let keyPath: any PartialKeyPath<Record> & Sendable
    /// The offset of the field in the record, where the field is stored in it.
    let offset: Int?
    let valueType: Any.Type
    /// Returns whether the field of a record is `nil`. It is `nil` for a type that is not optional.
    let isNil: (@Sendable (UnsafePointer<Record>) -> Bool)?
    let write: FieldBinder
    let codec: any AnyColumnCodec
    let form: AnyStorageForm?
    let definition: ColumnDefinition
    let samples: @Sendable (Int) -> [Any]
    /// `"users"."name"`. With the name of the table before it, SQLite does not treat the name of a missing column as text.
    var reference: SQL = ""
    /// Whether SQLite stores no NULL in the column. An optional primary key can be one: SQLite assigns a value to it.
    var isNeverNull = false

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

/// The place of a column's property in its record, and its type.
struct FieldPlace: Equatable {
    let offset: Int
    let type: ObjectIdentifier
}

extension TableCore {
    /// Returns the index of the column of a property. It compares offsets: comparing key paths costs ten times as much.
    func columnIndex(_ keyPath: PartialKeyPath<Record>, _ offset: Int?, type: Any.Type) -> Int? {
        if let offset {
            let place = FieldPlace(offset: offset, type: ObjectIdentifier(type))
            if let index = fields.firstIndex(of: place) { return index }
        }
        return columnIndex(keyPath)
    }

    func columnIndex(_ keyPath: PartialKeyPath<Record>) -> Int? {
        columns.firstIndex { $0.keyPath == keyPath }
    }

    /// Returns the column of a property.
    package func column(_ keyPath: PartialKeyPath<Record>) -> TableColumn<Record>? {
        columnIndex(keyPath).map { columns[$0] }
    }

    /// Returns the column of a property.
    ///
    /// - Throws: ``SQLiteError`` when the property is in no column.
    package func requireColumn(_ keyPath: PartialKeyPath<Record>) throws -> TableColumn<Record> {
        columns[try requireColumnIndex(keyPath)]
    }

    /// Returns the index of the column of a property.
    ///
    /// - Throws: ``SQLiteError`` when the property is in no column.
    func requireColumnIndex(_ keyPath: PartialKeyPath<Record>) throws -> Int {
        if let index = columnIndex(keyPath) { return index }
        throw missingColumnError(keyPath)
    }

    func missingColumnError(_ keyPath: PartialKeyPath<Record>) -> SQLiteError {
        SQLiteError(TableProblem.unknownProperty("\(keyPath)"), of: .table(name))
    }
}

/// A column of a table's primary key.
struct KeyColumn: Sendable {
    let name: String
    /// `"users"."id"`
    let reference: SQL
    let isNeverNull: Bool

    init<Record>(_ column: TableColumn<Record>) {
        name = column.name
        reference = column.reference
        isNeverNull = column.isNeverNull
    }

    /// Returns the term of an order by the column. `isOptional` is whether the table may have no matching row.
    func term(_ alias: String?, isOptional: Bool) -> OrderTerm {
        let reference: SQL = alias.map { "\(name: $0).\(name: name)" } ?? reference
        return OrderTerm(
            expression: reference, isDescending: false, valueType: isNeverNull && !isOptional ? nil : Any?.self)
    }
}
