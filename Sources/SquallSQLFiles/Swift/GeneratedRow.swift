/// The type of a row, which several queries can return.
struct GeneratedRow {
    /// A property of a row, or of a nested record.
    struct Property {
        /// Without backticks.
        let name: String
        var column: ResultColumn
    }

    /// A property that is a record.
    struct Nested {
        /// Without backticks.
        let name: String
        let type: String
        /// The prefix of the columns in SQL.
        let prefix: String
        var properties: [Property]
        /// The column that is NULL where the record is missing.
        var presence: Int?
    }

    enum Field {
        case column(Property)
        case record(Nested)
    }

    /// A difference between the rows of two queries that are said to be of one type.
    struct Mismatch: Error {
        let difference: String
    }

    let type: String
    private(set) var fields: [Field]
    /// The queries that return the row.
    private(set) var queries: [QueryDeclaration]

    init(_ type: String, _ shape: RecordShape, of query: QueryDeclaration, _ reservedTypes: Set<String>) {
        self.type = type
        queries = [query]
        var names = UniqueNames(reserving: ReservedNames.properties)
        var types = UniqueNames(reserving: [type])
        fields = shape.fields.map { field in
            switch field {
            case .column(let column): return .column(Self.property(column, &names))
            case .record(let prefix, let columns, let presence):
                let name = names.unique(SwiftName.property(prefix, keepingEmoji: true, orElse: "record"))
                let nested = SwiftName.type(prefix, keepingEmoji: true, orElse: "Record")
                var nestedNames = UniqueNames(reserving: ReservedNames.properties)
                return .record(
                    Nested(
                        name: name, type: types.unique(reservedTypes.contains(nested) ? nested + "Row" : nested),
                        prefix: prefix, properties: columns.map { Self.property($0, &nestedNames) }, presence: presence)
                )
            }
        }
    }

    private static func property(_ column: ResultColumn, _ names: inout UniqueNames) -> Property {
        let name = SwiftName.property(column.name, keepingEmoji: true, orElse: "column\(column.index + 1)")
        return Property(name: names.unique(name), column: column)
    }

    /// Adds a query that returns the row. What is optional in one of the queries is optional in the type.
    mutating func merge(_ shape: RecordShape, of query: QueryDeclaration) throws(Mismatch) {
        let other = GeneratedRow(type, shape, of: query, [])
        guard other.fields.count == fields.count else {
            throw Mismatch(difference: "there it has \(fields.count) properties, and here \(other.fields.count)")
        }
        for index in fields.indices {
            switch (fields[index], other.fields[index]) {
            case (.column(var property), .column(let new)):
                try property.merge(new)
                fields[index] = .column(property)
            case (.record(var nested), .record(let new)):
                try nested.merge(new)
                fields[index] = .record(nested)
            case (.column(let property), .record), (.record, .column(let property)):
                throw Mismatch(difference: "'\(property.name)' is a record in only one of them")
            }
        }
        queries.append(query)
    }

    /// All properties, with those of nested records.
    var properties: [Property] {
        fields.flatMap { field in
            switch field {
            case .column(let property): [property]
            case .record(let nested): nested.properties
            }
        }
    }
}

extension GeneratedRow.Property {
    fileprivate mutating func merge(_ other: Self) throws(GeneratedRow.Mismatch) {
        guard name == other.name, column.index == other.column.index else {
            throw GeneratedRow.Mismatch(difference: "'\(name)' there is '\(other.name)' here")
        }
        guard column.type == other.column.type else {
            throw GeneratedRow.Mismatch(
                difference: "'\(name)' is \(column.type) there and \(other.column.type) here")
        }
        if other.column.isOptional { column = other.column }
    }
}

extension GeneratedRow.Nested {
    fileprivate mutating func merge(_ other: Self) throws(GeneratedRow.Mismatch) {
        guard name == other.name, properties.count == other.properties.count else {
            throw GeneratedRow.Mismatch(difference: "the record '\(name)' has other columns here")
        }
        for index in properties.indices { try properties[index].merge(other.properties[index]) }
        guard presence == nil || other.presence == nil || presence == other.presence else {
            throw GeneratedRow.Mismatch(difference: "the record '\(name)' is `nil` by another column here")
        }
        presence = presence ?? other.presence
    }
}
