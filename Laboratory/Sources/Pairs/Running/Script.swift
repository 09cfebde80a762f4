/// The Swift that a run executes. Its text takes longer than the run, so that only a run that repeats a failure has one.
///
/// The lines are those of a function, of which ``SwiftTest`` makes a file: `db` is the database, `path` its file, `folder` that of all
/// files, `items` the table of records, `prepare(c)` prepares a connection, and `open()` opens a database.
final class Script {
    /// A variable of the function, for an object that is made again after each reopening.
    struct Variable {
        let name: String
        let type: String
        /// The statement before the database is closed.
        let end: String
    }

    /// The features, as the name of a function.
    let name: String
    private(set) var lines: [String] = []
    private(set) var variables: [Variable] = []
    /// Whether the database must have the rows of the model: not inside a step, before its commit is known.
    var isModelCurrent = true
    private(set) var test: SwiftTest?

    init(_ pair: Pair) {
        let names = pair.features.map(\.rawValue)
        name = names[0] + names.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    func add(_ text: String) {
        isModelCurrent = false
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Declares a variable, once.
    func declare(_ variable: Variable) {
        if !variables.contains(where: { $0.name == variable.name }) { variables.append(variable) }
    }

    /// Takes the state at the end of the run.
    func end(_ world: World, _ failure: String?) {
        test = SwiftTest(world, self, failure)
    }
}
