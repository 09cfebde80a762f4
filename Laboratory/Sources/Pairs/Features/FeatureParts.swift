import Squall

/// The parts of a feature in one run: how it is set up, its random steps, and its oracle.
///
/// The functions are called in the order of their declarations. Those with a default are for features that need them.
protocol FeatureParts: AnyObject {
    /// Asks for the form of the common tables.
    func shape(_ shape: inout TableShape)
    /// Asks for settings of the database, and for its functions and collations.
    func configure(_ settings: inout WorldSettings)
    /// Creates the objects of the schema, after the common tables.
    func setUp(_ world: World) throws
    /// Takes over a database whose process was killed, in place of the setup and before the start.
    ///
    /// - Parameter former: The parts that have run the same steps without an end.
    func resume(_ world: World, as former: any FeatureParts) throws
    /// Whether a killed step leaves only rows that the oracle knows, so that another process can continue.
    var canResume: Bool { get }
    /// Begins to use an open database: once after all features were set up, and after each reopening.
    func start(_ world: World) throws
    /// Runs a step of the feature, which is one transaction or none.
    func step(_ world: World, _ dice: inout Dice) throws
    /// Makes up for steps that the feature needs and that were not drawn, after the last one.
    func end(_ world: World) throws
    /// Runs a transaction of common changes in the way of the feature; `nil` if it has none.
    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? { get }
    /// The Swift of the parts that others call.
    var swift: FeatureSwift { get }
    /// Calls the closure that makes the changes of a transaction, inside it.
    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws
    /// Reads a text of values that the model does not have: a transaction can change them, and no common row.
    func traces(_ connection: Connection) throws -> String
    /// Whether the traces are columns of `items`, which a copy of its rows has too.
    var tracesRows: Bool { get }
    /// Takes note of a commit.
    func committed(_ commit: Commit, _ world: World) throws
    /// Prepares a check, and ends it.
    func willCheck(_ world: World) throws
    func didCheck(_ world: World) throws
    /// Whether the steps use only verbs of the library that mean the tables of the file, whatever TEMP tables there are.
    var namesNoTable: Bool { get }
    /// The tables that only the steps of the feature write.
    var ownTables: [String] { get }
    /// Checks what must hold in the file, or in a copy of it.
    func check(_ connection: Connection, _ model: Model) throws
    /// Checks what must hold besides, after each transaction.
    func check(_ world: World) throws
    /// Checks what must hold in a copy of the file in which other rows were written.
    func checkWritten(_ connection: Connection, _ model: Model) throws
    /// Uses a copy as a program does that opens it.
    func opened(_ copy: UsedCopy) throws
    /// Uses a copy in which rows were written.
    func written(_ copy: UsedCopy) throws
    /// Takes note of a suspension that has ended, in which the connections of the database were closed.
    func resumed(_ world: World) throws
    /// Releases what uses the database, before it is closed.
    func stop()
}

extension FeatureParts {
    func shape(_ shape: inout TableShape) {}
    func configure(_ settings: inout WorldSettings) {}
    func resume(_ world: World, as former: any FeatureParts) throws {}
    var canResume: Bool { true }
    func start(_ world: World) throws {}
    func end(_ world: World) throws {}
    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? { nil }
    var swift: FeatureSwift { FeatureSwift() }
    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws { try body(connection) }
    func traces(_ connection: Connection) throws -> String { "" }
    var tracesRows: Bool { false }
    func committed(_ commit: Commit, _ world: World) throws {}
    func willCheck(_ world: World) throws {}
    func didCheck(_ world: World) throws {}
    var namesNoTable: Bool { false }
    var ownTables: [String] { [] }
    func check(_ world: World) throws {}
    func checkWritten(_ connection: Connection, _ model: Model) throws { try check(connection, model) }
    func opened(_ copy: UsedCopy) throws {}
    func written(_ copy: UsedCopy) throws {}
    func resumed(_ world: World) throws {}
    func stop() {}
}

/// The rows before and after a transaction.
struct Commit {
    let before: Model
    let after: Model
    /// The feature that has written; `nil` for common changes.
    let author: (any FeatureParts)?
    let origin: Origin
    /// The traces of the features before and after the transaction.
    let traces: (before: [String], after: [String])

    /// Whether all rows are as before.
    var isEmpty: Bool { traces.before == traces.after && before == after }
    /// The part of the transaction of a merge that is a step of an undo history.
    var step: (before: Model, after: Model)?

    /// The way in which rows were written, which decides who is told.
    enum Origin {
        /// A transaction inside what the features surround.
        case surrounded
        /// Another transaction of the database.
        case database
        /// A migration of the table, whose rows are the same.
        case migration
        /// Another connection, of which only observers of the file are told.
        case outside
    }
}

/// The settings of a database that features ask for.
struct WorldSettings {
    var configuration = Configuration.recommended
    /// Adds functions and collations to each connection.
    var preparations: [@Sendable (Connection) throws -> Void] = []
    /// Prepares each connection of the database, and none of copies and other programs.
    var databasePreparations: [@Sendable (Connection) throws -> Void] = []
    /// Prepares the writer besides.
    var writerPreparations: [@Sendable (Connection) throws -> Void] = []
    /// The Swift of the settings.
    var swift = SettingsSwift()
    /// The folder of the files of the run.
    let folder: String
    var isInMemory = false
    /// Whether other processes can use the file.
    var allowsProcesses = true

    init(folder: String) { self.folder = folder }
}
