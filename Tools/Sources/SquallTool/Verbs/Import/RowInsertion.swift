import Squall

/// The insertion of records into a table.
///
/// A row has values only for the columns that its record has. The statements for the last sets of columns are kept.
struct RowInsertion {
    private static let planLimit = 16
    private let connection: Connection
    private let table: ImportTable
    private let conflict: ConflictAction
    private let conversion: FieldConversion
    /// The columns of the table, in the order of the file's columns.
    private var columns: [ImportColumn] = []
    /// The types of the columns. Reading one from its column would retain the name, for every field.
    private var types: [ColumnType] = []
    /// Why a column of the file cannot be imported, by its index.
    private var problems: [Int: BadRecord] = [:]
    private var plan: Plan?
    private var earlierPlans: [Plan] = []
    /// The values of the current row. Their memory is used for all rows.
    private var values: [BindingValue] = []
    /// The first field that has lost leading zeros, because its column has numbers.
    private var firstWithoutZeros: (text: String, column: String)?
    private var countWithoutZeros = 0

    init(_ connection: Connection, _ table: ImportTable, _ conflict: ConflictAction, _ conversion: FieldConversion) {
        self.connection = connection
        self.table = table
        self.conflict = conflict
        self.conversion = conversion
    }

    /// Finds the columns of the file in the table. A file of JSON adds columns as they appear.
    ///
    /// A column that the table does not have makes the records bad that have a value for it.
    mutating func match(_ names: [String]) {
        for name in names[columns.count...] {
            do {
                columns.append(try table.column(named: name))
            } catch {
                problems[columns.count] = error
                columns.append(ImportColumn(name: name, type: .any))
            }
            types.append(columns[columns.count - 1].type)
        }
    }

    /// Converts the fields of a record, without inserting them.
    ///
    /// - Throws: ``BadRecord``.
    mutating func check(_ record: borrowing Record) throws {
        for index in try plan(for: record).fields {
            _ = try value(record, index)
        }
    }

    /// Inserts a record.
    ///
    /// - Returns: Whether the table has changed. ON CONFLICT IGNORE of the table, or RAISE(IGNORE) of a trigger, leaves rows out.
    /// - Throws: ``BadRecord`` if a column or a constraint does not allow the values; ``SQLiteError``.
    mutating func insert(_ record: borrowing Record) throws -> Bool {
        let plan = try plan(for: record)
        values.removeAll(keepingCapacity: true)
        for index in plan.fields {
            values.append(try value(record, index))
        }
        do {
            try statement(for: plan).bind(contentsOf: values).run()
        } catch let error as SQLiteError where error.isAboutRow {
            var bad = BadRecord(reason: error.message, hint: error.hint)
            if !connection.isInTransaction {
                bad.endsImport = true
                bad.hint =
                    "the table or a trigger rolls the whole import back for such a row: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK)"
            }
            throw bad
        }
        return connection.changes > 0
    }

    /// The advice about fields that have lost leading zeros; `nil` if none has.
    var hint: String? {
        firstWithoutZeros.map { first in
            let others = countWithoutZeros == 1 ? "" : ", as have \(countWithoutZeros - 1) other fields"
            return "'\(first.text)' has lost its zeros\(others), because the column '\(first.column)' has numbers"
        }
    }

    private mutating func value(_ record: borrowing Record, _ index: Int) throws(BadRecord) -> BindingValue {
        let field = record.fields[index]
        // The types of a new table were chosen by the fields, or by the user.
        if table.creation == nil, types[index] == .integer || types[index] == .real, field.count > 1 {
            let bytes = record.bytes(of: field)
            if bytes[0] == UInt8(ascii: "0"), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]) {
                countWithoutZeros += 1
                if firstWithoutZeros == nil, let text = record.text(of: field) {
                    firstWithoutZeros = (text, columns[index].name)
                }
            }
        }
        do {
            return try conversion.value(of: field, in: record, as: types[index])
        } catch {
            throw error.badRecord(column: columns[index].name)
        }
    }

    /// Returns the plan for the fields that a record has.
    private mutating func plan(for record: borrowing Record) throws -> Plan {
        if let plan, plan.fits(record) { return plan }
        if let earlier = earlierPlans.first(where: { $0.fits(record) }) {
            plan = earlier
            return earlier
        }
        let fields = record.fields.indices.filter { record.fields[$0].notation != .missing }
        if let index = fields.first(where: { problems[$0] != nil }), let problem = problems[index] { throw problem }
        if conflict == .upsert {
            let given = Set(fields.map { Identifier(columns[$0].name) })
            for key in table.primaryKey where !given.contains(Identifier(key)) {
                throw BadRecord(reason: "it has no '\(key)', which is in the primary key")
            }
        }
        let plan = Plan(fields: fields)
        self.plan = plan
        earlierPlans.append(plan)
        if earlierPlans.count > Self.planLimit { earlierPlans.removeFirst() }
        return plan
    }

    /// Returns the statement of a plan, which is prepared for its first record.
    private func statement(for plan: Plan) throws -> Statement {
        if let statement = plan.statement { return statement }
        let insertion = conflict.insertion(into: table, columns: plan.fields.map { columns[$0].name })
        let statement = try connection.prepare(insertion)
        plan.statement = statement
        return statement
    }
}

extension RowInsertion {
    /// A prepared statement for records with the same fields.
    private final class Plan {
        let fields: [Int]
        var statement: Statement?

        init(fields: [Int]) {
            self.fields = fields
        }

        /// Whether a record has values for these fields and no others.
        func fits(_ record: borrowing Record) -> Bool {
            var next = 0
            for index in record.fields.indices where record.fields[index].notation != .missing {
                guard next < fields.count, fields[next] == index else { return false }
                next += 1
            }
            return next == fields.count
        }
    }
}

extension SQLiteError {
    /// Whether the error is about the values of a row, and not about the database.
    fileprivate var isAboutRow: Bool { [.constraint, .mismatch, .tooBig].contains(resultCode) }
}
