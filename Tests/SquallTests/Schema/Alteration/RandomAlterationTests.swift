import Foundation
import Squall
import SquallTestSupport
import Testing

/// Random tables with random rows and random steps: the file must be as if the table had been made like that in the first
/// place, and the rows as Swift computes them. A failure names its seed: `RandomCase(seed: 17)` is that case again.
struct RandomAlterationTests {
    @Test(arguments: 0..<8) func asIfItHadBeenMadeLikeThat(_ part: Int) throws {
        for seed in stride(from: part, to: Rounds.of(2000), by: 8) {
            var problems: [String] = []
            do {
                var random = RandomCase(seed: UInt64(seed))
                problems = try random.run()
            } catch {
                problems = ["\(error)"]
            }
            #expect(problems == [], "seed \(seed)")
        }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

private enum Key: CaseIterable {
    case none, rowID, autoincrement, text, withoutRowID
}

/// A row: its rowid, and its values by column.
private struct ModelRow {
    var id: Int64
    var values: [String: BindingValue]
}

private struct RandomCase {
    private var random: SplitMix
    private let key: Key
    private var table = TableDefinition(name: "t")
    private var rows: [ModelRow] = []
    private var mark: Int64 = 0
    /// Columns that a trigger, a view, a generated column or a key uses.
    private var used: Set<String> = []
    private var hasChild = false
    private var viewColumn: String?
    private var triggerColumn: String?
    private var number = 0
    /// The name of the next column: like that of the last one but for the case of a letter that only Unicode folds.
    private var twin: String?
    /// Columns that this block of steps has added or changed: fillings are evaluated on the row as it was before.
    private var touched: Set<String> = []

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        key = Key.allCases.randomElement(using: &random) ?? .none
        makeTable()
        makeRows()
        makeDependents()
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &random) }

    private mutating func newName() -> String {
        if let twin {
            self.twin = nil
            return twin
        }
        number += 1
        let bases = ["a", "order", "B c", "quo\"te", "é", "Select"]
        let base = pick(bases) ?? "x"
        if base == "é" { twin = "É\(number)" }
        return "\(base)\(number)"
    }

    private mutating func value(_ type: String) -> BindingValue {
        let n = Int64.random(in: -5...500, using: &random)
        switch type {
        case "INTEGER": return .integer(n)
        case "REAL": return .real(Double(n) + 0.5)
        case "BLOB": return .blob(Data([UInt8(truncatingIfNeeded: n), 0]))
        case "TEXT": return .text("t'\(n)")
        default: return n % 2 == 0 ? .integer(n) : .text("x\(n)")
        }
    }

    private static func sql(_ value: BindingValue) -> SQL { "\(value)" }
}

// MARK: - The beginning

extension RandomCase {
    private mutating func makeTable() {
        switch key {
        case .none: break
        case .rowID: table.columns.append(ColumnDefinition(name: "id", type: "INTEGER", primaryKey: .init()))
        case .autoincrement:
            table.columns.append(
                ColumnDefinition(name: "id", type: "INTEGER", primaryKey: .init(isAutoincrement: true)))
        case .text, .withoutRowID:
            table.columns.append(ColumnDefinition(name: "id", type: "TEXT", primaryKey: .init(), notNull: .init()))
            table.isWithoutRowID = key == .withoutRowID
        }
        if key != .none { used.insert("id") }
        for _ in 0..<Int.random(in: 1...4, using: &random) { table.columns.append(newColumn()) }
        if chance(30), let source = table.columns.last {
            used.insert(source.name)
            let name = newName()
            table.columns.append(
                ColumnDefinition(
                    name: name, generated: .init(expression: "typeof(\(name: source.name))", isStored: chance(50))
                )
            )
            used.insert(name)
        }
        if chance(20) { table.constraints.append(TableConstraint(name: "yes", .check("1 < 2"))) }
    }

    private mutating func newColumn() -> ColumnDefinition {
        let type = pick(["INTEGER", "TEXT", "REAL", "BLOB", ""]) ?? ""
        var column = ColumnDefinition(name: newName(), type: type)
        if chance(40) { column.notNull = .init() }
        if chance(30) { column.defaultValue = Self.sql(value(type)) }
        if chance(15) { column.collation = "NOCASE" }
        return column
    }

    private var stored: [ColumnDefinition] { table.columns.filter { $0.generated == nil } }

    private mutating func makeRows() {
        for index in 0..<Int.random(in: 0...6, using: &random) {
            let id = Int64(index * 7 + Int.random(in: 1...6, using: &random))
            var row = ModelRow(id: id, values: [:])
            for column in stored {
                let isNull = column.notNull == nil && chance(30)
                row.values[column.name] = isNull ? .null : value(column.type)
            }
            switch key {
            case .none: break
            case .rowID, .autoincrement: row.values["id"] = .integer(id)
            case .text, .withoutRowID: row.values["id"] = .text("k\(id)")
            }
            rows.append(row)
            mark = id
        }
    }

    private mutating func makeDependents() {
        let plain = stored.map(\.name)
        if chance(50), let name = pick(plain) {
            let columns = [IndexedColumn(name, order: chance(30) ? .descending : nil)]
            table.indexes.append(IndexDefinition(name: "i1", table: "t", columns: columns))
        }
        if chance(25), let name = pick(plain) {
            table.indexes.append(
                IndexDefinition(name: "i2", table: "t", columns: [.expression("typeof(\(name: name))")], condition: "1")
            )
            used.insert(name)
        }
        if chance(40), let name = pick(plain) {
            triggerColumn = name
            used.insert(name)
        }
        if chance(40), let name = pick(plain) {
            viewColumn = name
            used.insert(name)
        }
        hasChild = key != .none && chance(50)
    }

    private func create(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE log(x)")
        try connection.execute(table.sql)
        for index in table.indexes { try connection.execute(index.sql) }
        for row in rows {
            var columns = row.values.keys.sorted().map { "\(name: $0)" as SQL }
            var values = row.values.keys.sorted().map { Self.sql(row.values[$0] ?? .null) }
            if key == .none || key == .text {
                columns.append("rowid")
                values.append("\(row.id)")
            }
            let names = columns.joined(separator: ", ")
            try connection.run("INSERT INTO \(name: table.name)(\(names)) VALUES(\(values.joined(separator: ", ")))")
        }
        if key == .autoincrement, mark > 0 {
            // The last rows were deleted: their keys must not come back.
            try connection.run("UPDATE sqlite_sequence SET seq = \(mark + 100) WHERE name = \(table.name)")
        }
        if hasChild {
            let parent: SQL = "\(name: table.name)"
            try connection.execute("CREATE TABLE child(p REFERENCES \(parent)(id) ON DELETE CASCADE ON UPDATE CASCADE)")
            try connection.run("INSERT INTO child SELECT id FROM \(parent)")
        }
        if let triggerColumn {
            try connection.execute(
                """
                CREATE TRIGGER g AFTER INSERT ON \(name: table.name) BEGIN \
                INSERT INTO log VALUES(new.\(name: triggerColumn)); END; \
                CREATE TRIGGER h AFTER INSERT ON log BEGIN DELETE FROM \(name: table.name) WHERE 0; END
                """
            )
        }
        if let viewColumn {
            try connection.execute("CREATE VIEW v AS SELECT \(name: viewColumn) AS x FROM \(name: table.name)")
        }
    }
}

// MARK: - The steps

extension RandomCase {
    /// A step, done to the model too.
    private mutating func step() -> (any AlterTableStep)? {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return addNullable()
        case 1: return addFilled()
        case 2, 3: return dropColumn()
        case 4: return renameColumn()
        case 5: return changeColumn()
        default:
            let kind = TableConstraint.Kind.check("2 < 3 AND '\(raw: "(")' <> ''")
            let name = "c\(number)"
            number += 1
            table.constraints.append(TableConstraint(name: name, kind))
            return AddConstraint(kind, named: name)
        }
    }

    private func sqlOf(_ column: ColumnDefinition) -> SQL {
        let head = SQL("\(name: column.name)").text
        return SQL(raw: column.sql.text.dropFirst(head.count).drop { $0 == " " })
    }

    private mutating func addNullable() -> any AlterTableStep {
        var column = newColumn()
        if column.defaultValue == nil { column.notNull = nil }
        table.columns.append(column)
        touched.insert(column.name)
        let value = column.defaultValue?.parameters.first ?? .null
        for index in rows.indices { rows[index].values[column.name] = value }
        return AddColumn(column.name, sql: sqlOf(column))
    }

    private mutating func addFilled() -> (any AlterTableStep)? {
        guard let source = pick(stored.filter { !touched.contains($0.name) }) else { return nil }
        var column = newColumn()
        column.type = source.type
        column.defaultValue = nil
        let other = value(source.type)
        table.columns.append(column)
        for index in rows.indices {
            let old = rows[index].values[source.name] ?? .null
            rows[index].values[column.name] = old == .null ? other : old
        }
        touched.insert(column.name)
        let filling: SQL = "coalesce(\(name: source.name), \(Self.sql(other)))"
        return AddColumn(column.name, sql: sqlOf(column), fillingWith: filling)
    }

    private mutating func dropColumn() -> (any AlterTableStep)? {
        let candidates = stored.map(\.name).filter { !used.contains($0) }
        guard table.columns.count > 2, stored.count > 1, let name = pick(candidates) else { return nil }
        table.columns.removeAll { $0.name == name }
        table.indexes.removeAll { $0.columns.contains { $0.columnName == name } }
        for index in rows.indices { rows[index].values[name] = nil }
        return DropColumn(name)
    }

    private mutating func renameColumn() -> (any AlterTableStep)? {
        let generated = Set(table.columns.filter { $0.generated != nil }.map(\.name))
        // (SQLite writes expressions anew when it renames, which would make the comparison one of texts.)
        let candidates = stored.map(\.name).filter { $0 != "id" && (!used.contains($0) || generated.isEmpty) }
        guard let name = pick(candidates), !table.indexes.contains(where: { $0.name == "i2" && used.contains(name) })
        else { return nil }
        let newName = self.newName()
        for index in table.columns.indices where table.columns[index].name == name {
            table.columns[index].name = newName
        }
        for index in table.indexes.indices {
            for column in table.indexes[index].columns.indices
            where table.indexes[index].columns[column].columnName == name {
                table.indexes[index].columns[column].term = .column(newName)
            }
        }
        for index in rows.indices {
            rows[index].values[newName] = rows[index].values[name]
            rows[index].values[name] = nil
        }
        if used.remove(name) != nil { used.insert(newName) }
        if touched.contains(name) { touched.insert(newName) }
        if viewColumn == name { viewColumn = newName }
        if triggerColumn == name { triggerColumn = newName }
        return RenameColumn(name, to: newName)
    }

    private mutating func changeColumn() -> (any AlterTableStep)? {
        let candidates = stored.map(\.name).filter { $0 != "id" && !touched.contains($0) }
        guard let name = pick(candidates), let index = table.columns.firstIndex(where: { $0.name == name })
        else { return nil }
        var column = ColumnDefinition(name: name, type: table.columns[index].type)
        touched.insert(name)
        let other = value(column.type)
        if chance(60) { column.notNull = .init() }
        if chance(50) { column.defaultValue = Self.sql(other) }
        table.columns[index] = column
        for row in rows.indices where rows[row].values[name] == .null { rows[row].values[name] = other }
        let filling: SQL = "coalesce(\(name: name), \(Self.sql(other)))"
        return ChangeColumn(name, sql: sqlOf(column), fillingWith: filling)
    }
}

// MARK: - The comparison

extension RandomCase {
    mutating func run() throws -> [String] {
        let connection = try Connection(":memory:")
        try create(connection)
        var steps: [any SchemaStep] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let name = table.name
            var alterations: [any AlterTableStep] = []
            touched = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                if let alteration = step() { alterations.append(alteration) }
            }
            let block = alterations
            steps.append(AlterTable(name) { for alteration in block { alteration } })
            if chance(15) {
                table.name = "t\(number) x"
                number += 1
                for index in table.indexes.indices { table.indexes[index].table = table.name }
                steps.append(RenameTable(name, to: table.name))
            }
        }
        try Schema("s") { Version(1) { for step in steps { step } } }.migrate(connection)
        return try problems(connection)
    }

    private func problems(_ connection: Connection) throws -> [String] {
        let direct = try Connection(":memory:")
        try create(direct)
        var problems: [String] = []
        func compare<T: Equatable>(_ what: String, _ body: (Connection) throws -> T) throws {
            let (found, expected) = (try body(connection), try body(direct))
            if found != expected { problems.append("\(what): \(found) and not \(expected)") }
        }
        let found = try connection.tableInfo(table.name)
        let expected = try direct.tableInfo(table.name)
        if let found, let expected {
            // Columns that Unicode takes for one are compared by SQLite alone.
            let hasTwins = Set(table.columns.map { $0.name.lowercased() }).count < table.columns.count
            let changes = hasTwins ? [] : found.changes(to: expected) + expected.changes(to: found)
            if !changes.isEmpty { problems.append("\(changes)") }
        } else {
            problems.append("no table \(table.name)")
        }
        try compare("columns") { connection -> [String] in
            try connection.query("SELECT * FROM pragma_table_xinfo(\(table.name))") { $0.valuesText }
        }
        try compare("indexes") { try $0.tableInfo(table.name)?.indexes.map { $0.name } }
        try compare("triggers") { try $0.tableInfo(table.name)?.triggers.map(\.name) }
        let rowID: SQL = table.isWithoutRowID ? "" : "rowid, "
        try compare("rows") { connection -> [String] in
            try connection.query("SELECT \(rowID)* FROM \(name: table.name) ORDER BY 1") { $0.valuesText }
        }
        if hasChild { try compare("children") { try $0.query("SELECT p FROM child ORDER BY p") as [BindingValue] } }
        if viewColumn != nil { try compare("view") { try $0.query("SELECT x FROM v ORDER BY 1") as [BindingValue?] } }
        if key == .autoincrement {
            try compare("mark") { try $0.query("SELECT coalesce(max(seq), 0) FROM sqlite_sequence") as Int }
        }
        if try connection.integrityCheck() != [] { problems.append("integrity") }
        if try connection.foreignKeyCheck() != [] { problems.append("foreign keys") }
        if try !connection.hasForeignKeysOn() { problems.append("foreign keys are off") }
        if triggerColumn != nil, key == .rowID || key == .autoincrement, let first = stored.first?.name, first == "id" {
            // The triggers run.
            let others = stored.filter { $0.notNull != nil && $0.defaultValue == nil && $0.name != "id" }
            if others.isEmpty {
                try connection.run("INSERT INTO \(name: table.name)(id) VALUES(9999)")
                if try connection.count("log") != 1 { problems.append("the trigger has not run") }
            }
        }
        return problems
    }
}
