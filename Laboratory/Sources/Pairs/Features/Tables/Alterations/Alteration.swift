import Squall

/// An alteration of a table, and the way back.
struct Alteration {
    /// Steps of a version, with their Swift.
    struct Steps {
        var steps: [any SchemaStep] = []
        var swift: [String] = []

        /// An `AlterTable` of one or more steps.
        mutating func alter(_ table: String, _ alterations: [(step: any AlterTableStep, swift: String)]) {
            steps.append(AlterTable(table) { for alteration in alterations { alteration.step } })
            swift.append("AlterTable(\"\(table)\") { \(alterations.map(\.swift).joined(separator: "; ")) }")
        }

        mutating func execute(_ sql: String) {
            steps.append(Execute("\(raw: sql)"))
            swift.append("Execute(#\"\(sql)\"#)")
        }

        mutating func add(_ step: any SchemaStep, _ swift: String) {
            steps.append(step)
            self.swift.append(swift)
        }
    }

    var there = Steps()
    var back = Steps()
    /// The new names of the table, of a column or of another object, with those of before.
    var renamed: [(new: String, old: String)] = []
    /// Whether common changes can be made in between.
    var allowsChanges = false
    /// Whether a row can be inserted in between.
    var allowsInsertion = true
    /// Whether a plan to the definition of before is a way back too.
    var canBePlanned = false
    /// Whether the library may refuse it, because something needs the table as it is.
    var mayBeRefused = false
    /// Whether the rowids of a table without an INTEGER PRIMARY KEY may be others afterwards.
    var changesRowIDs = false
}

extension ColumnDefinition {
    /// The type and the constraints of the column.
    var declaration: String { String(sql.text.dropFirst(("\(name: name)" as SQL).text.count)) }

    fileprivate var redeclaration: (step: any AlterTableStep, swift: String) {
        (
            ChangeColumn(name, sql: "\(raw: declaration)"),
            "ChangeColumn(\"\(name)\", sql: SQL(raw: #\"\(declaration)\"#))"
        )
    }
}

extension TableConstraint {
    fileprivate var isPrimaryKey: Bool { if case .primaryKey = kind { true } else { false } }
}

/// Draws alterations of one column of a table, or of the table.
struct AlterationChoice {
    let table: TableDefinition
    let column: ColumnDefinition
    let state: FileState
    /// A number for new names.
    let number: Int

    /// The kinds of alterations.
    enum Kind: CaseIterable {
        case column, key, table, notNull, type, defaultValue, collation, check, columnCheck, unique,
            reference, action
        case compositeKey, strict, withoutRowID, autoincrement, recreated, index, recreatedIndex, trigger, view,
            addition
    }

    private var newName: String { "renamed_\(number)" }

    private var isKey: Bool { table.primaryKey.contains(column.name) }

    /// Returns an alteration of a kind; `nil` if the table has nothing that it could alter.
    func alteration(_ kind: Kind, _ dice: inout Dice) -> Alteration? {
        var alteration = Alteration()
        switch kind {
        case .column: return renaming(column.name)
        case .key: return table.primaryKey.first.flatMap(renaming)
        case .table:
            alteration.renamed = [(newName, table.name)]
            alteration.there.add(
                RenameTable(table.name, to: newName), "RenameTable(\"\(table.name)\", to: \"\(newName)\")")
            alteration.back.add(
                RenameTable(newName, to: table.name), "RenameTable(\"\(newName)\", to: \"\(table.name)\")")
            return alteration
        case .notNull, .type, .defaultValue, .collation, .columnCheck, .action, .autoincrement:
            return redeclared(kind, &dice)
        case .check:
            let (name, condition) = ("kept_\(number)", "\"\(column.name)\" IS \"\(column.name)\"")
            (alteration.allowsChanges, alteration.canBePlanned) = (true, true)
            add(.check("\(raw: condition)"), ".check(SQL(raw: #\"\(condition)\"#))", named: name, to: &alteration)
            return alteration
        case .unique:
            let columns = [column.name] + table.primaryKey.filter { $0 != column.name }
            if table.primaryKey.isEmpty || column.generated != nil { return nil }
            (alteration.allowsChanges, alteration.canBePlanned) = (true, true)
            let swift = ".unique([\(columns.map { "\"\($0)\"" }.joined(separator: ", "))])"
            add(.unique(columns.map { IndexedColumn($0) }), swift, named: "both_\(number)", to: &alteration)
            return alteration
        case .reference: return referring()
        case .compositeKey: return keyed()
        case .strict: return options("strict", table.isStrict) { ChangeOptions(strict: $0) }
        case .withoutRowID:
            if table.primaryKey.isEmpty { return nil }
            var options = options("withoutRowID", table.isWithoutRowID) { ChangeOptions(withoutRowID: $0) }
            (options.allowsChanges, options.changesRowIDs) = (false, true)
            return options
        case .recreated: return recreated()
        case .index, .recreatedIndex: return index(isRenamed: kind == .index, &dice)
        case .trigger: return state.newestTrigger.map { recreating($0, "TRIGGER") }
        case .view: return dice.element(of: state.views).map { recreating($0, "VIEW") }
        case .addition:
            let name = "added_\(number)"
            alteration.canBePlanned = true
            alteration.there.alter(
                table.name,
                [(AddColumn(name, sql: "TEXT DEFAULT 'x'"), "AddColumn(\"\(name)\", sql: \"TEXT DEFAULT 'x'\")")])
            alteration.back.alter(table.name, [(DropColumn(name), "DropColumn(\"\(name)\")")])
            return alteration
        }
    }

    private func renaming(_ name: String) -> Alteration {
        var alteration = Alteration()
        // SQLite renames the column of a view too, and refuses where its triggers name it.
        alteration.mayBeRefused = !state.views.isEmpty
        alteration.renamed = [(newName, name)]
        alteration.there.alter(
            table.name, [(RenameColumn(name, to: newName), "RenameColumn(\"\(name)\", to: \"\(newName)\")")])
        alteration.back.alter(
            table.name, [(RenameColumn(newName, to: name), "RenameColumn(\"\(newName)\", to: \"\(name)\")")])
        return alteration
    }

    /// Declares the column in another way.
    private func redeclared(_ kind: Kind, _ dice: inout Dice) -> Alteration? {
        var (new, alteration) = (column, Alteration())
        switch kind {
        case .notNull:
            if isKey || column.generated != nil { return nil }
            if new.notNull != nil { new.notNull = nil } else { new.notNull = .init() }
            if new.notNull != nil, state.hasNull(column.name) { return nil }
            alteration.allowsChanges = new.notNull == nil
            alteration.allowsInsertion = new.notNull == nil
        case .type:
            // A type with the same affinity: the values are the same.
            let types = ["TEXT": "VARCHAR(100)", "INTEGER": "BIGINT", "REAL": "DOUBLE", "BLOB": "LONGBLOB"]
            guard !table.isStrict, !isKey, let type = types[column.type.uppercased()] else { return nil }
            new.type = type
            alteration.allowsChanges = true
        case .defaultValue:
            if column.generated != nil || column.primaryKey != nil { return nil }
            new.defaultValue = column.defaultValue == nil || dice.once(in: 2) ? "5" : nil
            if new.defaultValue == column.defaultValue { return nil }
            alteration.allowsInsertion = new.defaultValue != nil || new.notNull == nil
            // Records have all of these columns.
            alteration.allowsChanges = table.name == "items" && TableShape.columns.contains(column.name)
        case .collation:
            if isKey || column.collation != nil || column.unique != nil { return nil }
            new.collation = dice.choice(of: ["NOCASE", "RTRIM"])
            alteration.allowsChanges = true
        case .columnCheck:
            new.checks.append(.init(condition: "\(name: column.name) IS NOT 'never'"))
            alteration.allowsChanges = true
        case .action:
            guard var reference = column.references.first else { return nil }
            reference.onDelete = reference.onDelete == .cascade ? .setNull : .cascade
            new.references = [reference]
        default:
            guard let key = column.primaryKey, column.type.uppercased() == "INTEGER", !key.isAutoincrement,
                !table.isWithoutRowID
            else { return nil }
            new.primaryKey?.isAutoincrement = true
        }
        alteration.canBePlanned = true
        // A key of several columns is dropped with the declaration of one of them.
        let key = isKey && column.primaryKey == nil ? table.constraints.first(where: \.isPrimaryKey).map(adding) : nil
        alteration.there.alter(table.name, [new.redeclaration] + (key.map { [$0] } ?? []))
        alteration.back.alter(table.name, [column.redeclaration] + (key.map { [$0] } ?? []))
        return alteration
    }

    private func adding(_ key: TableConstraint) -> (step: any AlterTableStep, swift: String) {
        let names = table.primaryKey.map { "\"\($0)\"" }.joined(separator: ", ")
        return (AddConstraint(key.kind, named: key.name), "AddConstraint(.primaryKey([\(names)]))")
    }

    private func add(
        _ kind: TableConstraint.Kind, _ swift: String, named name: String, to alteration: inout Alteration
    ) {
        alteration.there.alter(
            table.name, [(AddConstraint(kind, named: name), "AddConstraint(\(swift), named: \"\(name)\")")])
        alteration.back.alter(table.name, [(DropConstraint(named: name), "DropConstraint(named: \"\(name)\")")])
    }

    /// Lets the column refer to a new table of its values.
    private func referring() -> Alteration? {
        // A generated column is not a child in each version of SQLite.
        if column.generated != nil || !column.references.isEmpty { return nil }
        var alteration = Alteration()
        (alteration.allowsInsertion, alteration.mayBeRefused) = (false, false)
        let targets = "targets_\(number)"
        alteration.there.execute(
            """
            CREATE TABLE \(targets)(value NOT NULL PRIMARY KEY COLLATE BINARY); \
            INSERT OR IGNORE INTO \(targets) SELECT \"\(column.name)\" FROM main.\"\(table.name)\" \
            WHERE \"\(column.name)\" IS NOT NULL
            """)
        add(
            .foreignKey([column.name], ForeignKeyReference(table: targets, columns: ["value"])),
            ".foreignKey([\"\(column.name)\"], .init(table: \"\(targets)\", columns: [\"value\"]))",
            named: "target_\(number)", to: &alteration)
        alteration.back.add(DropTable(targets), "DropTable(\"\(targets)\")")
        return alteration
    }

    /// Gives the table a key of two columns.
    private func keyed() -> Alteration? {
        let names = table.primaryKey
        guard names.count == 1, let key = table.columns.first(where: { $0.name == names[0] }),
            key.primaryKey?.isAutoincrement == false, !table.isWithoutRowID, column.name != key.name,
            column.generated == nil
        else { return nil }
        var (alteration, single) = (Alteration(), key)
        (single.primaryKey, single.notNull) = (nil, .init())
        let columns = [column.name, key.name]
        let swift = ".primaryKey([\(columns.map { "\"\($0)\"" }.joined(separator: ", "))])"
        alteration.there.alter(
            table.name,
            [
                single.redeclaration,
                (
                    AddConstraint(.primaryKey(columns.map { IndexedColumn($0) }), named: "keys_\(number)"),
                    "AddConstraint(\(swift), named: \"keys_\(number)\")"
                ),
            ])
        alteration.back.alter(
            table.name,
            [(DropConstraint(named: "keys_\(number)"), "DropConstraint(named: \"keys_\(number)\")"), key.redeclaration])
        (alteration.mayBeRefused, alteration.allowsInsertion, alteration.changesRowIDs) = (true, false, true)
        alteration.canBePlanned = true
        return alteration
    }

    private func options(
        _ name: String, _ isOn: Bool, _ step: (Bool) -> ChangeOptions
    ) -> Alteration {
        var alteration = Alteration()
        alteration.there.alter(table.name, [(step(!isOn), "ChangeOptions(\(name): \(!isOn))")])
        alteration.back.alter(table.name, [(step(isOn), "ChangeOptions(\(name): \(isOn))")])
        (alteration.mayBeRefused, alteration.allowsChanges, alteration.canBePlanned) = (true, true, true)
        return alteration
    }
}

extension AlterationChoice {
    /// Drops the table, and creates it again under its name, with its rows, indexes and triggers.
    private func recreated() -> Alteration? {
        if table.columns.contains(where: { $0.primaryKey?.isAutoincrement == true }) { return nil }
        var alteration = Alteration()
        // A search table is dropped first.
        alteration.mayBeRefused = true
        let names = table.columns.filter { $0.generated == nil }.map { "\"\($0.name)\"" }
        let rowID = table.isWithoutRowID || table.rowIDColumn != nil ? [] : ["rowid"]
        let columns = (rowID + names).joined(separator: ", ")
        let (kept, values) = ("kept_\(number)", (rowID.map { "\($0) AS kept_rowid" } + names).joined(separator: ", "))
        alteration.there.execute("CREATE TABLE \(kept) AS SELECT \(values) FROM main.\"\(table.name)\"")
        alteration.there.add(DropTable(table.name), "DropTable(\"\(table.name)\")")
        alteration.there.execute(state.sql(of: table.name))
        alteration.there.execute(
            "INSERT INTO main.\"\(table.name)\"(\(columns)) SELECT * FROM \(kept); DROP TABLE \(kept)")
        for sql in state.objects(on: table.name) { alteration.there.execute(sql) }
        return alteration
    }

    private func index(isRenamed: Bool, _ dice: inout Dice) -> Alteration? {
        guard let index = dice.element(of: state.indexes) else { return nil }
        if !isRenamed { return recreating(index, "INDEX") }
        var alteration = Alteration()
        alteration.renamed = [(newName, index)]
        alteration.there.add(RenameIndex(index, to: newName), "RenameIndex(\"\(index)\", to: \"\(newName)\")")
        alteration.back.add(RenameIndex(newName, to: index), "RenameIndex(\"\(newName)\", to: \"\(index)\")")
        return alteration
    }

    /// Drops an object with its triggers, and creates them again.
    private func recreating(_ name: String, _ kind: String) -> Alteration {
        var alteration = Alteration()
        let step: any SchemaStep =
            switch kind {
            case "INDEX": DropIndex(name)
            case "VIEW": DropView(name)
            default: DropTrigger(name)
            }
        alteration.there.add(step, "Drop\(kind.capitalized)(\"\(name)\")")
        for sql in [state.sql(of: name)] + (kind == "VIEW" ? state.objects(on: name) : []) {
            alteration.there.execute(sql)
        }
        return alteration
    }
}
