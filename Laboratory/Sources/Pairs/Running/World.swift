import Foundation
import Squall

/// A database with the common tables, the model of their rows, and the two features that meet there.
final class World {
    let folder: String
    let shape: TableShape
    let verbs: ItemVerbs
    let parts: [any FeatureParts]
    let settings: WorldSettings
    private(set) var database: Database
    private(set) var model = Model()
    /// Takes the Swift that is run; `nil` if it is not written.
    let script: Script?
    /// The traces of the features after the last commit.
    private(set) var traces: [String] = []

    init(in folder: String, _ parts: [any FeatureParts], _ shape: TableShape, _ script: Script? = nil) throws {
        self.script = script
        self.folder = folder
        self.parts = parts
        self.shape = shape
        verbs = ItemVerbs.make(for: shape)
        settings = Self.settings(folder, parts)
        database = try Self.open(folder, settings)
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: shape.firstDefinition)") }
        let definition = shape.firstDefinition.split(whereSeparator: \.isNewline).joined(separator: " ")
        log("try db.blocking.writeWithoutTransaction { try $0.execute(#\"\(definition)\"#) }")
    }

    private static func open(_ folder: String, _ settings: WorldSettings) throws -> Database {
        let preparations = settings.preparations + settings.databasePreparations
        let writerPreparations = settings.writerPreparations
        return try Database(
            settings.isInMemory ? ":memory:" : "\(folder)/main.db", configuration: settings.configuration,
            preparation: { connection in for prepare in preparations { try prepare(connection) } },
            writerConnectionPreparation: { connection in for prepare in writerPreparations { try prepare(connection) } }
        )
    }

    /// Opens the database of a process that was killed, which had the rows of a model.
    ///
    /// - Parameter former: The parts of the features that ran the same steps in this process.
    init(
        continuing folder: String, _ model: Model, _ parts: [any FeatureParts], _ shape: TableShape,
        as former: [any FeatureParts]
    ) throws {
        script = nil
        self.folder = folder
        self.parts = parts
        self.shape = shape
        self.model = model
        verbs = ItemVerbs.make(for: shape)
        settings = Self.settings(folder, parts)
        database = try Self.open(folder, settings)
        // The columns come first, then those that change rows: a replica with what it has not sent, and a storage.
        func order(_ part: any FeatureParts) -> Int {
            part is MigrationFeature ? 0 : part is SyncFeature ? 1 : part is StorageFeature ? 2 : 3
        }
        for (part, former) in zip(parts, former).sorted(by: { order($0.0) < order($1.0) }) {
            try part.resume(self, as: former)
        }
        for part in parts { try part.start(self) }
        try readTraces()
        try check()
    }

    static func settings(_ folder: String, _ parts: [any FeatureParts]) -> WorldSettings {
        var settings = WorldSettings(folder: folder)
        for part in parts { part.configure(&settings) }
        return settings
    }

    /// Whether TEMP tables of the writer have the names of the common tables.
    var hidesTables = false

    /// Whether another process uses the file.
    private(set) var hasOutsider = false

    /// The error with which the library has refused a step; `nil` if none was refused.
    private(set) var refusal: String?

    /// Takes note of a step that was refused, of which nothing may have been written.
    func refuse(_ error: SQLiteError) throws {
        refusal = Refusals.reason(error)
        try check()
    }

    /// Opens a connection that belongs to none of the features.
    func connection(_ path: String? = nil, _ mode: Connection.Mode = .existing) throws -> Connection {
        let connection = try Connection(path ?? "\(folder)/main.db", mode: mode, configuration: settings.configuration)
        for prepare in settings.preparations { try prepare(connection) }
        return connection
    }

    /// Starts another process that uses the file; `nil` if the settings do not allow one.
    func start(_ outsider: PairProcess) throws -> OutsiderProcess? {
        // Outside WAL, a process that reads and one that writes can wait for each other.
        let journal = settings.configuration.journalMode
        guard !settings.isInMemory, settings.allowsProcesses, journal != .delete else { return nil }
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: OutsiderProcess.definition)") }
        hasOutsider = true
        return try OutsiderProcess(outsider)
    }

    /// Opens a second `Database` of the file.
    ///
    /// - Parameter name: The variable in the Swift of the run.
    func openOther(_ name: String) throws -> Database {
        declare(name, "Database", end: "try \(name).blocking.close()")
        log("\(name) = try Database(path, configuration: configuration, preparation: prepare)")
        let preparations = settings.preparations
        return try Database(database.fileName, configuration: settings.configuration) { connection in
            for prepare in preparations { try prepare(connection) }
        }
    }

    /// Closes the database and opens it again.
    func reopen() throws {
        if settings.isInMemory { return }
        for part in parts { part.stop() }
        try database.blocking.close()
        logReopening()
        database = try Self.open(folder, settings)
        for part in parts { try part.start(self) }
        try check()
    }

    func close() throws {
        for part in parts { part.stop() }
        try database.blocking.close()
    }

    /// Writes the rows that the features find when they are set up.
    func populate() throws {
        var dice = Dice(seed: 1)
        var changes: [Change] = [.insertAuthor(0), .insertAuthor(1)]
        changes += (1...3).map { .insert([ItemRow(id: $0, &dice)], .record) }
        // Many rows that do not have the columns.
        if !shape.lateColumns.isEmpty { changes.append(.insert((50..<62).map { ItemRow(id: $0, &dice) }, .sql)) }
        for change in changes {
            change.apply(to: &model, shape)
            log("try db.blocking.write { c in \(change.swift(shape)) }")
            try database.blocking.write { try change.run($0, verbs, shape) }
        }
        for column in shape.lateColumns {
            log("try db.blocking.write { try $0.execute(\"ALTER TABLE items ADD COLUMN \(column)\") }")
            try database.blocking.write { try $0.execute("ALTER TABLE items ADD COLUMN \(raw: column)") }
        }
    }

    /// Runs a transaction of one feature, inside what the features surround.
    func transaction(_ body: (Connection) throws -> Void) throws {
        try database.blocking.write { try surrounded($0, parts[...], body) }
    }

    /// Is called after each commit.
    var afterCommit: (() -> Void)?

    /// Takes the rows of the database as they are.
    func takeRows() throws {
        model = try database.blocking.read { try rows(of: $0) }
    }

    /// Takes rows that a feature has written, and checks everything.
    func commit(
        _ new: Model, by author: (any FeatureParts)?, _ origin: Commit.Origin = .database,
        step: (before: Model, after: Model)? = nil
    ) throws {
        let before = traces
        try readTraces()
        let commit = Commit(
            before: model, after: new, author: author, origin: origin, traces: (before, traces), step: step)
        model = new
        script?.isModelCurrent = true
        for part in parts {
            try part.committed(commit, self)
            script?.isModelCurrent = true
        }
        afterCommit?()
        try check()
    }

    /// Reads the traces of the features.
    func readTraces() throws {
        traces = try database.blocking.read { connection in try parts.map { try $0.traces(connection) } }
    }

    /// Requires that a copy of the common tables has the rows of the model, with all their columns.
    func checkCopiedRows(_ copy: Connection, _ subject: String) throws {
        try require(rows(of: copy), equals: model, "rows of \(subject)")
        for (part, trace) in zip(parts, traces) where part.tracesRows {
            let found = try part.traces(copy)
            try require(found == trace, "\(subject) has other values in a column: \(found), not \(trace)")
        }
    }

    /// Makes a change on a connection that does not belong to the database.
    func writeOutside(_ change: Change, by author: any FeatureParts) throws {
        if settings.isInMemory { return }
        var new = model
        change.apply(to: &new, shape)
        if !allows(new) { return }
        log(
            """
            do {
                let c = try Connection(path, mode: .existing, configuration: configuration)
                try prepare(c)
                try c.transaction { \(change.swift(shape)) }
                c.close()
            }
            """)
        let other = try connection()
        defer { other.close() }
        try other.transaction { try change.run(other, verbs, shape) }
        try commit(new, by: author, .outside)
    }

    /// Runs changes in one transaction, through a door of a feature or of the database.
    func write(_ changes: [Change], _ fault: Fault? = nil, _ dice: inout Dice) throws {
        var new = model
        for change in changes { change.apply(to: &new, shape) }
        let door = dice.once(in: 4) ? nil : dice.element(of: parts.filter { $0.door != nil })
        let failsAtCommit = shape.reference == .deferred && !new.hasAllAuthors
        log(
            transaction: changes.map { $0.swift(shape) }, through: door?.swift.door,
            failing: fault?.description ?? (failsAtCommit ? "the foreign key" : nil))
        do {
            try transaction(through: door?.door, fault) { [self] connection in
                try surrounded(connection, parts[...]) { connection in
                    for (number, change) in changes.enumerated() {
                        if number == changes.count / 2 { try fault?.strike() }
                        try change.run(connection, verbs, shape)
                    }
                    if fault == .error { throw InjectedError() }
                }
            }
            if let fault { throw Violation(description: "a transaction with a fault was committed: \(fault)") }
            try require(!failsAtCommit, "a transaction with a violated foreign key was committed")
        } catch is InjectedError where fault == .error {
            return try check()
        } catch let error where fault?.expects(error) == true {
            return try check()
        } catch ResultCode.constraintForeignKey where failsAtCommit {
            return try check()
        }
        try commit(new, by: nil, .surrounded)
    }

    private func transaction(
        through door: (((Connection) throws -> Void) throws -> Void)?, _ fault: Fault?,
        _ body: @escaping (Connection) throws -> Void
    ) throws {
        if case .cancellation(let cancellation)? = fault { return try cancellation.write(database, body) }
        if let door { try door(body) } else { try database.blocking.write { try body($0) } }
    }

    private func surrounded(
        _ connection: Connection, _ parts: ArraySlice<any FeatureParts>, _ body: (Connection) throws -> Void
    ) throws {
        guard let first = parts.first else { return try body(connection) }
        try first.surround(connection) { try surrounded($0, parts.dropFirst(), body) }
    }
}
