@testable import Squall

/// A record with a value of any type.
struct StoredValue<Value: Binding & Sendable>: Sendable where Value.ColumnBase == Value {
    var id: Int64
    var value: Value

    static var table: Table<StoredValue, Int64, (Int64, Value)> {
        Table("stored", StoredValue.init, .unprobed) {
            Column("id", \StoredValue.id, .primaryKey)
            Column("value", \StoredValue.value, .unique)
        }
    }

    static var optionalTable: Table<StoredValue, Int64, (Int64, Value?)> {
        Table("stored", { StoredValue(id: $0, value: try $1.unwrapped()) }, .unprobed) {
            Column("id", \StoredValue.id, .primaryKey)
            Column("value", \StoredValue.optional)
        }
    }

    static var keyed: Table<StoredValue, Value, (Value, Int64)> {
        Table("stored", { StoredValue(id: $1, value: $0) }, .unprobed) {
            Column("value", \StoredValue.value, .primaryKey)
            Column("id", \StoredValue.id)
        }
    }

    var optional: Value? { value }
}

extension Optional {
    fileprivate func unwrapped() throws -> Wrapped {
        guard let self else { throw ValueIsMissing() }
        return self
    }
}

struct ValueIsMissing: Error {}

/// A way of a value into SQL.
enum ValueWay: String, CaseIterable {
    case interpolation, existential, optionalInterpolation, defaultInterpolation
    case parameter, optionalParameter, parameterOfRun, listed, named, statement, statementContents, prepared
    case list, listOfAny, array, optionalArray, row
    case function, optionalFunction, aggregate, tableFunction, tableOfTuples, tableOfArrays
    case insertValues, updateValues, upsertValues, insertRecord, insertOptionalField, insertMany, insertReturning
    case preparedRecord, preparedValues, replace, upsert, update, updateColumns, updateChangedFrom, set, upsertSetting
    case tableOfRecords, equal, unequal, less, between, inList, defaultValue, nullIf, caseValue
    case find, findByKey, findKeys, deleteByKey, columnDefault

    /// Returns what SQLite has, or what is found by the value.
    func store<Value: Binding & Sendable>(_ value: Value) throws -> BindingValue where Value.ColumnBase == Value {
        typealias Record = StoredValue<Value>
        let connection = try Connection()
        let (table, record) = (Record.table, Record(id: 1, value: value))
        func selected(_ sql: SQL) throws -> BindingValue { try connection.query(sql) ?? .null }
        func stored() throws -> BindingValue { try selected("SELECT value FROM stored ORDER BY id LIMIT 1") }
        func begin(_ table: some RecordTable) throws { try connection.create(table) }
        /// A row with a value that all types but NULL differ from.
        func beginWithRow() throws {
            try begin(table)
            try connection.run("INSERT INTO stored VALUES(1, 'another')")
        }
        switch self {
        case .interpolation: return try selected("SELECT \(value)")
        case .existential: return try selected("SELECT \(value as any Bindable)")
        case .optionalInterpolation: return try selected("SELECT \(Optional(value))")
        case .defaultInterpolation: return try selected("SELECT \(nil as Value?, default: value)")
        case .parameter: return try connection.query("SELECT ?", value) ?? .null
        case .optionalParameter: return try connection.query("SELECT ?", Optional(value)) ?? .null
        case .parameterOfRun:
            try begin(table)
            try connection.run("INSERT INTO stored VALUES(1, ?)", value)
            return try stored()
        case .listed: return try connection.query("SELECT ?", [value] as [(any Bindable)?]) ?? .null
        case .named: return try connection.query("SELECT :a", ["a": value] as [String: (any Bindable)?]) ?? .null
        case .statement, .statementContents, .prepared:
            try begin(table)
            let sql: SQL = "INSERT INTO stored VALUES(1, ?)"
            let statement = self == .prepared ? try connection.prepare(sql, value) : try connection.prepare(sql)
            if self == .statement { try statement.bind(value) }
            if self == .statementContents { try statement.bind(contentsOf: [value]) }
            try statement.run()
            return try stored()
        case .list: return try selected("SELECT column1 FROM (VALUES \(in: [value]))")
        case .listOfAny: return try selected("SELECT column1 FROM (VALUES \(in: [value as any Bindable]))")
        case .array: return try selected("SELECT value FROM \(array: [value])")
        case .optionalArray: return try selected("SELECT value FROM \(array: [Optional(value)])")
        case .row: return try selected(SQL.row(value).sql)
        case .function:
            try connection.addFunction("f") { () -> Value in value }
            return try selected("SELECT f()")
        case .optionalFunction:
            try connection.addFunction("f") { () -> Value? in value }
            return try selected("SELECT f()")
        case .aggregate:
            try connection.addAggregate("f", initial: 0) { (count: inout Int, _: Int) in
                count += 1
            } final: { _ in
                value
            }
            return try selected("SELECT f(1)")
        case .tableFunction:
            try connection.addTableFunction("f", columns: "a") { () -> [Value] in [value] }
            return try selected("SELECT a FROM f()")
        case .tableOfTuples:
            try connection.addTableFunction("f", columns: "a", "b") { () -> [(Value, Int)] in [(value, 1)] }
            return try selected("SELECT a FROM f()")
        case .tableOfArrays:
            try connection.addTableFunction("f", columns: "a", "b") { () -> [[Value]] in [[value, value]] }
            return try selected("SELECT b FROM f()")
        case .insertValues:
            try begin(table)
            try connection.insert(into: "stored", ["id": 1, "value": value] as ColumnValues)
            return try stored()
        case .updateValues:
            try beginWithRow()
            try connection.update("stored", set: ["value": value])
            return try stored()
        case .upsertValues:
            try beginWithRow()
            try connection.upsert(into: "stored", ["id": 1, "value": value], onConflict: "id")
            return try stored()
        case .insertRecord:
            try begin(table)
            try connection.table(table).insert(record)
            return try stored()
        case .insertOptionalField:
            try begin(Record.optionalTable)
            try connection.table(Record.optionalTable).insert(record)
            return try stored()
        case .insertMany:
            try begin(Record.optionalTable)
            let records = (1...70).map { Record(id: $0, value: value) }
            do {
                try connection.table(Record.optionalTable).insert(contentsOf: records)
            } catch let error as InsertionError {
                throw error.reason
            }
            return try stored()
        case .insertReturning:
            try begin(table)
            return .integer(try connection.table(table).insertReturning(record).id)
        case .preparedRecord:
            try begin(table)
            try connection.table(table).prepareInsert().run(record)
            return try stored()
        case .preparedValues:
            try begin(table)
            try connection.prepareInsert(into: table).run(1, value)
            return try stored()
        case .replace:
            try beginWithRow()
            try connection.table(table).replace(record)
            return try stored()
        case .upsert:
            try beginWithRow()
            try connection.table(table).upsert(record, onConflict: \Record.id)
            return try stored()
        case .update:
            try beginWithRow()
            try connection.table(table).update(record)
            return try stored()
        case .updateColumns:
            try beginWithRow()
            try connection.table(table).update(record, \Record.value)
            return try stored()
        case .updateChangedFrom:
            try begin(table)
            return .text("\(try connection.table(table).update(record, changedFrom: record))")
        case .set:
            try beginWithRow()
            try connection.table(table).update {
                $0.value.set(to: value)
            } where: {
                $0.id == 1
            }
            return try stored()
        case .upsertSetting:
            try begin(table)
            try connection.table(table).upsert(record, onConflict: \Record.id) { $0.value.set(to: value) }
            return try stored()
        case .tableOfRecords:
            return try connection.withTable("incoming", [record], as: table) {
                try $0.query("SELECT value FROM incoming") ?? .null
            }
        case .equal: return try selected(table.where { $0.value == value }.placed)
        case .unequal: return try selected(table.where { $0.value != value }.placed)
        case .less: return try selected(table.where { $0.value < value }.placed)
        case .between: return try selected(table.where { $0.value.between(value, and: value) }.placed)
        case .inList: return try selected(table.where { $0.value.in([value]) }.placed)
        case .defaultValue: return try selected(table.select { $0.value.default(value) }.placed)
        case .nullIf: return try selected(table.select { $0.value.nullIf(value) }.placed)
        case .caseValue:
            return try selected(table.select { Expr<Value>.when($0.id == 1, then: value).orNull }.placed)
        case .find:
            try begin(Record.keyed)
            return .integer(try connection.table(Record.keyed).find(value) == nil ? 0 : 1)
        case .findByKey:
            try begin(Record.keyed)
            return .integer(try connection.table(Record.keyed).find(key: value) == nil ? 0 : 1)
        case .findKeys:
            try begin(Record.keyed)
            return .integer(Int64(try connection.table(Record.keyed).find(keys: [value]).count))
        case .deleteByKey:
            try begin(Record.keyed)
            return .integer(try connection.table(Record.keyed).delete(record) ? 1 : 0)
        case .columnDefault:
            let table = Table<Record, Int64, (Int64, Value)>("stored", Record.init, .unprobed) {
                Column("id", \Record.id, .primaryKey)
                Column("value", \Record.value, .default(value))
            }
            try connection.create(table)
            try connection.run("INSERT INTO stored(id) VALUES(1)")
            return try stored()
        }
    }
}

extension Selection {
    /// The first value of a query, as a query without its table.
    fileprivate var placed: SQL {
        var sql: SQL = "SELECT \(self.sql.parameters.first ?? .null)"
        if let failure = self.sql.failure { sql.fail(failure) }
        return sql
    }
}
