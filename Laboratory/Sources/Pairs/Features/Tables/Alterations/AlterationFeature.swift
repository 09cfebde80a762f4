import Squall

/// Versions that alter any column of any table in one of many ways, and take it back. Everything else is there in between and afterwards.
final class AlterationFeature: FeatureParts {
    private let suffix: String
    private var number = 0
    private let shifted: ShiftedTable

    init(_ suffix: String) {
        self.suffix = suffix
        shifted = ShiftedTable(suffix)
    }

    /// Another process would find a table without its name.
    func configure(_ settings: inout WorldSettings) { settings.allowsProcesses = false }

    var canResume: Bool { false }

    func setUp(_ world: World) throws { try shifted.setUp(world) }

    func step(_ world: World, _ dice: inout Dice) throws {
        number += 1
        if dice.once(in: 6) { return try shifted.step(world, by: self, &dice) }
        let tables = try tables(world)
        let name = dice.once(in: 2) ? "items" : dice.choice(of: tables)
        let (table, state) = try world.database.blocking.writeWithoutTransaction { connection in
            (try connection.tableInfo(name), try FileState(connection, name))
        }
        guard let table else { throw Violation(description: "there is no table \(name)") }
        let choice = AlterationChoice(
            table: table, column: dice.choice(of: table.columns), state: state, number: number)
        for _ in 0..<10 {
            // Other objects name what is renamed.
            let kind = dice.choice(of: dice.once(in: 3) ? [.column, .key, .table] : AlterationChoice.Kind.allCases)
            if isExcluded(kind, world) { continue }
            guard var alteration = choice.alteration(kind, &dice) else { continue }
            // Other features require the form of their own tables.
            if !["items", "authors"].contains(name) {
                alteration.allowsChanges = false
                if alteration.changesRowIDs { alteration.allowsInsertion = false }
            }
            return try run(alteration, choice, "\(kind) of \(name).\(choice.column.name)", world, &dice)
        }
    }

    /// The tables of the file, but for those whose histories have steps of before, or of which observers read columns by name.
    private func tables(_ world: World) throws -> [String] {
        let excluded = world.parts.filter { $0 is HistoriesFeature }.flatMap(\.ownTables)
        let names: [String] = try world.database.blocking.writeWithoutTransaction { connection in
            try connection.query(
                """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name NOT LIKE 'squall@_%' ESCAPE '@' ORDER BY name
                """)
        }
        return names.filter { !excluded.contains($0) && !$0.hasPrefix("shifted_") }
    }

    private func isExcluded(_ kind: AlterationChoice.Kind, _ world: World) -> Bool {
        switch kind {
        // The TEMP triggers of a table are dropped with it.
        case .recreated: world.parts.contains { $0 is TemporaryTrigger }
        default: false
        }
    }

    /// Runs an alteration and the way back: in one version, or in two, between which the file can be used.
    private func run(
        _ alteration: Alteration, _ choice: AlterationChoice, _ subject: String, _ world: World, _ dice: inout Dice
    ) throws {
        let table = choice.table.name
        let (prefixes, shape) = (["targets_\(number)", "added_\(number)"], world.shape)
        let inspect: @Sendable (Connection) throws -> Void = { connection in
            let state = try FileState(connection, table, renamed: alteration.renamed, without: prefixes)
            try choice.state.require(
                state, altered: table, renamed: alteration.renamed, hasRowIDs: false, "with \(subject)")
            try AlteredFile(connection: connection, table: table, names: alteration.renamed, shape: shape)
                .check(inserts: alteration.allowsInsertion, subject)
        }
        let isInOne = !isUsable(alteration, world) || dice.once(in: 2)
        let schema = schema(alteration, isInOne ? inspect : nil)
        log(alteration, isInOne, world)
        let traces = world.traces
        do {
            try world.database.blocking.migrate(schema, to: 1)
        } catch let error as Violation {
            throw error
        } catch  where alteration.mayBeRefused && Self.isTyped(error) {
            try requireState(choice, alteration, "after it was refused: \(subject)", world)
            return try world.check()
        }
        if !isInOne {
            if alteration.allowsChanges {
                try world.commit(world.model, by: self, .migration)
                for _ in 0...dice.number(below: 2) {
                    let change = Change.random(world.model, world.shape, &dice)
                    var new = world.model
                    change.apply(to: &new, world.shape)
                    if world.allows(new) { try world.write([change], nil, &dice) }
                }
            } else if !world.settings.isInMemory {
                let plain = try world.connection()
                defer { plain.close() }
                try inspect(plain)
            }
            let middle = try world.database.blocking.writeWithoutTransaction { try FileState($0, table) }
            try takeBack(alteration, choice, schema, world, &dice)
            if alteration.allowsChanges {
                let after = try world.database.blocking.writeWithoutTransaction { try FileState($0, table) }
                try middle.require(
                    after, altered: table, renamed: [], hasRowIDs: true, "after the way back of \(subject)")
                return try world.commit(world.model, by: self, .migration)
            }
        }
        try requireState(choice, alteration, "after \(subject)", world)
        try world.commit(world.model, by: self, .migration)
        try require(world.traces == traces, "\(subject) has left \(world.traces), not \(traces) of the features")
    }

    /// Runs the second version, or a plan to the definition of before.
    private func takeBack(
        _ alteration: Alteration, _ choice: AlterationChoice, _ schema: Schema, _ world: World, _ dice: inout Dice
    ) throws {
        guard alteration.canBePlanned, dice.once(in: 2) else {
            try world.database.blocking.migrate(schema)
            return
        }
        let name = choice.table.name
        world.log(
            "// instead of version 2: try c.plan(toMatch: \(name) as before version 1).apply()")
        try world.database.blocking.writeWithoutTransaction { connection in
            let plan = try connection.plan(toMatch: [choice.table])
            try require(!plan.isEmpty, "there is no plan to take an alteration of \(name) back")
            try plan.apply(allowing: [.columns, .conversions])
            let rest = try connection.plan(toMatch: [choice.table])
            try require(rest.isEmpty, "a plan is not complete: \(rest)")
        }
    }

    /// Whether the file can be used between the versions: no part reads the names of before by itself.
    private func isUsable(_ alteration: Alteration, _ world: World) -> Bool {
        alteration.allowsChanges
            || !world.parts.contains { $0 is ObservationFeature || $0 is ObserversFeature || $0 is ChangeStream }
    }

    private static func isTyped(_ error: any Error) -> Bool { error is SchemaError || error is SQLiteError }

    private func schema(_ alteration: Alteration, _ inspect: (@Sendable (Connection) throws -> Void)?) -> Schema {
        let (there, back) = (alteration.there.steps, alteration.back.steps)
        return Schema("altered_\(suffix)_\(number)") {
            Version(1) {
                for step in there { step }
                if let inspect {
                    Execute { try inspect($0) }
                    for step in back { step }
                }
            }
            if inspect == nil { Version(2) { for step in back { step } } }
        }
    }

    private func log(_ alteration: Alteration, _ isInOne: Bool, _ world: World) {
        let lines = alteration.there.swift + (isInOne ? [] : ["}", "Version(2) {"]) + alteration.back.swift
        world.log(
            """
            try db.blocking.migrate(Schema("altered_\(suffix)_\(number)") { Version(1) {
            \(lines.joined(separator: "\n"))
            } })
            """)
    }

    /// Requires that the file is as before the alteration.
    private func requireState(
        _ choice: AlterationChoice, _ alteration: Alteration, _ subject: String, _ world: World
    ) throws {
        let table = choice.table.name
        let (info, state) = try world.database.blocking.writeWithoutTransaction { connection in
            (try connection.tableInfo(table), try FileState(connection, table))
        }
        try choice.state.require(
            state, altered: table, renamed: [], hasRowIDs: !alteration.changesRowIDs, subject)
        // SQLite writes a name in quotes where it was renamed.
        func text(_ table: TableDefinition?) -> String? { table.map { FileState.normalized($0.sql.text, []) } }
        try require(
            text(info) == text(choice.table),
            "\(table) \(subject): \(info.map { "\($0.sql)" } ?? "-"), not \(choice.table.sql)")
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() { shifted.stop() }
}
