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
    /// Begins to use an open database: once after all features were set up, and after each reopening.
    func start(_ world: World) throws
    /// Runs a step of the feature, which is one transaction or none.
    func step(_ world: World, _ dice: inout Dice) throws
    /// Runs a transaction of common changes in the way of the feature; `nil` if it has none.
    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? { get }
    /// Calls the closure that makes the changes of a transaction, inside it.
    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws
    /// Takes note of a commit.
    func committed(_ commit: Commit, _ world: World) throws
    /// Checks what must hold in the file, or in a copy of it.
    func check(_ connection: Connection, _ model: Model) throws
    /// Checks what must hold besides, after each transaction.
    func check(_ world: World) throws
    /// Takes note of a suspension that has ended, in which the connections of the database were closed.
    func resumed(_ world: World) throws
    /// Releases what uses the database, before it is closed.
    func stop()
}

extension FeatureParts {
    func shape(_ shape: inout TableShape) {}
    func configure(_ settings: inout WorldSettings) {}
    func start(_ world: World) throws {}
    var door: ((_ body: (Connection) throws -> Void) throws -> Void)? { nil }
    func surround(_ connection: Connection, _ body: (Connection) throws -> Void) throws { try body(connection) }
    func committed(_ commit: Commit, _ world: World) throws {}
    func check(_ world: World) throws {}
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
    /// Prepares the writer besides.
    var writerPreparations: [@Sendable (Connection) throws -> Void] = []
    /// The folder of the files of the run.
    let folder: String
    var isInMemory = false

    init(folder: String) { self.folder = folder }
}
