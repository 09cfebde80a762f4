/// A view or a trigger.
struct SchemaObject: Hashable {
    /// Either a view or a trigger.
    let kind: SchemaCatalog.Entry.Kind
    let name: Identifier
    /// `main` or `temp`.
    let schema: String
}

extension SchemaObject: Comparable, CustomStringConvertible {
    static func < (left: SchemaObject, right: SchemaObject) -> Bool {
        (left.kind.rawValue, left.name) < (right.kind.rawValue, right.name)
    }

    var description: String { "\(kind.rawValue) \(name)" }
}

extension Connection {
    /// Finds the unusable views and triggers, and returns SQLite's messages about them. Each is tested alone, so that one
    /// broken object does not hide another.
    ///
    /// SQLite accepts triggers and views over missing tables and columns, and it drops tables and columns that triggers and
    /// views use.
    func brokenObjects() throws -> [SchemaObject: String] {
        var broken: [SchemaObject: String] = [:]
        for view in try views() {
            let select: SQL = "SELECT * FROM \(raw: view.schema).\(name: view.name.spelling)"
            if let message = try messageOfPreparing(select) { broken[view] = message }
        }
        let triggers = try triggers()
        // Usually no trigger is broken. Preparing one statement for each event of a table proves it.
        var events: Set<TriggerEvent> = []
        let isSound = try triggers.allSatisfy { trigger in
            try messageOfUpdateColumns(trigger) == nil
                && (!events.insert(trigger.event).inserted || messageOfFiring(trigger.event) == nil)
        }
        guard !isSound else { return broken }
        try undoing("squall_triggers") {
            for trigger in triggers { try runSingle(trigger.object.drop) }
            for trigger in triggers {
                guard let message = try messageOfCreating(trigger) else { continue }
                broken[trigger.object.key] = message
            }
        }
        return broken
    }

    /// Creates a trigger while the database has no other, and prepares a statement that fires it. Returns the error message,
    /// or `nil`.
    private func messageOfCreating(_ trigger: Trigger) throws -> String? {
        if let message = try messageOfUpdateColumns(trigger) { return message }
        do {
            try runSingle(trigger.object.create)
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        } catch let error as SchemaError {
            return error.description
        }
        defer { cleanUp(trigger.object.drop.text) }
        return try messageOfFiring(trigger.event)
    }

    /// Returns the message for a column of `UPDATE OF` that the table does not have. Such a trigger would never fire.
    private func messageOfUpdateColumns(_ trigger: Trigger) throws -> String? {
        guard !trigger.updateColumns.isEmpty else { return nil }
        do {
            let known = Set(try columns(of: trigger.event).map { Identifier($0.name) })
            return trigger.updateColumns.first { !known.contains(Identifier($0)) }.map { "no such column: \($0)" }
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        }
    }

    private func messageOfFiring(_ event: TriggerEvent) throws -> String? {
        let table: SQL = "\(raw: event.schema).\(name: event.table.spelling)"
        switch event.kind {
        case .insert: return try messageOfPreparing("INSERT INTO \(table) DEFAULT VALUES")
        case .delete: return try messageOfPreparing("DELETE FROM \(table)")
        case .update:
            do {
                let columns = try columns(of: event).filter { !$0.isGenerated }
                guard !columns.isEmpty else { return nil }
                let assignments = columns.map { "\(name: $0.name) = \(name: $0.name)" as SQL }.joined(separator: ", ")
                return try messageOfPreparing("UPDATE \(table) SET \(assignments)")
            } catch let error as SQLiteError where error.resultCode == .error {
                return error.message
            }
        }
    }

    private func columns(of event: TriggerEvent) throws -> [SchemaCatalog.Column] {
        try catalog(of: event.schema).columns(ofTable: event.table.spelling)
    }

    private func messageOfPreparing(_ sql: SQL) throws -> String? {
        do {
            _ = try prepare(sql)
            return nil
        } catch let error as SQLiteError where error.resultCode == .error {
            return error.message
        }
    }
}

// MARK: - Definitions

/// A view or a trigger with the SQL that drops and creates it.
struct ObjectDefinition {
    let key: SchemaObject
    let sql: String

    var kind: SchemaCatalog.Entry.Kind { key.kind }

    var drop: SQL {
        "DROP \(raw: kind.rawValue.uppercased()) \(raw: key.schema).\(name: key.name.spelling)"
    }

    /// - Throws: ``SchemaError/invalid(_:)`` if the SQL of the file creates another object.
    var create: SQL {
        get throws { try SQL(raw: sql).created(in: key.schema, named: key.name.spelling) }
    }
}

/// The event that fires a trigger.
private struct TriggerEvent: Hashable {
    enum Kind {
        case insert, update, delete
    }

    let kind: Kind
    let table: Identifier
    let schema: String
}

private struct Trigger {
    let object: ObjectDefinition
    let event: TriggerEvent
    /// The columns listed in `UPDATE OF`.
    let updateColumns: [String]
    /// Whether the SQL names the schema of the table.
    let isQualified: Bool
}

extension Connection {
    /// Returns the SQL of views and triggers: views first, each kind in the order of creation.
    func definitions(of objects: some Sequence<SchemaObject>) throws -> [ObjectDefinition] {
        let wanted = Set(objects)
        return try (definitions(.view) + definitions(.trigger)).filter { wanted.contains($0.key) }
    }

    /// Returns the TEMP triggers of a table of `main`, without those of a TEMP table with the same name.
    func temporaryTriggers(of table: String) throws -> [(name: String, sql: String)] {
        try triggers().filter { $0.object.key.schema == "temp" && $0.event.table == Identifier(table) }
            .map { ($0.object.key.name.spelling, $0.object.sql) }
    }

    private func definitions(_ kind: SchemaCatalog.Entry.Kind) throws -> [ObjectDefinition] {
        try ["main", "temp"].flatMap { schema in
            try catalog(of: schema).entries(kind, by: .creation).map { entry in
                let key = SchemaObject(kind: kind, name: Identifier(entry.name), schema: schema)
                return ObjectDefinition(key: key, sql: entry.sql ?? "")
            }
        }
    }

    private func views() throws -> [SchemaObject] { try definitions(.view).map(\.key) }

    /// The triggers of tables and views of `main`.
    private func triggers() throws -> [Trigger] {
        try definitions(.trigger).compactMap { object in
            guard let trigger = Trigger(object) else { return nil }
            guard object.key.schema == "temp", !trigger.isQualified else { return trigger }
            return try catalog(of: "temp").has(.table, .view, named: trigger.event.table.spelling) ? nil : trigger
        }
    }
}

extension Trigger {
    /// Parses `CREATE TRIGGER g AFTER UPDATE OF a, b ON t …`. Returns `nil` for a trigger on a database other than `main`.
    init?(_ object: ObjectDefinition) {
        var tokens = SQLTokenizer.tokens(of: object.sql)[...]
        let kinds: [(String, TriggerEvent.Kind)] = [("INSERT", .insert), ("UPDATE", .update), ("DELETE", .delete)]
        var kind: TriggerEvent.Kind?
        while kind == nil, let token = tokens.popFirst() {
            kind = kinds.first { token.is($0.0) }?.1
        }
        let columns = tokens.prefix { !$0.is("ON") }
        tokens = tokens.dropFirst(columns.count + 1)
        guard let kind, let first = tokens.popFirst() else { return nil }
        isQualified = tokens.first?.is(".") == true
        if isQualified, !first.text.isSameName(as: "main") { return nil }
        let table = isQualified ? tokens.dropFirst().first?.text ?? "" : first.text
        event = TriggerEvent(kind: kind, table: Identifier(table), schema: "main")
        updateColumns = columns.dropFirst().filter { !$0.is(",") }.map(\.text)
        self.object = object
    }
}
