/// The Swift of what a feature does in the calls of others.
struct FeatureSwift {
    /// The call of the door, up to its closure: `history_a.blocking.write("Change")`.
    var door: String?
    /// The call that surrounds the changes of a transaction on `c`, up to its closure: `try log_a.record(on: c)`.
    var surrounding: String?
    /// The line after the changes of a transaction.
    var lastLine: String?
    /// The lines with what must hold at the end, on a connection `c`. `expected` has the records of the model.
    var expectations: [String] = []
}

/// The Swift of the settings of a database, in lines.
struct SettingsSwift {
    /// The lines that change a `configuration`.
    var configuration: [String] = []
    /// The lines that prepare each connection `c`.
    var preparation: [String] = []
    /// The lines that prepare each connection `c` of the database besides.
    var databasePreparation: [String] = []
    /// The lines that prepare the writer `c` besides.
    var writerPreparation: [String] = []
}

extension World {
    /// Adds a line to the Swift of the run.
    func log(_ line: @autoclosure () -> String) {
        script?.add(line())
    }

    /// Adds a variable to the Swift of the run, which a line sets.
    ///
    /// - Parameter end: The statement before the database is closed; `nil` for `name = nil`.
    func declare(_ name: String, _ type: String, end: String? = nil) {
        script?.declare(Script.Variable(name: name, type: type, end: end ?? "\(name) = nil"))
    }

    /// Adds a transaction, inside what the features surround.
    ///
    /// - Parameters:
    ///   - changes: The lines on the connection `c`.
    ///   - door: The call of the transaction, up to its closure.
    ///   - failure: The reason why it fails; `nil` if it does not.
    func log(
        transaction changes: @autoclosure () -> [String], through door: String? = nil, failing failure: String? = nil
    ) {
        guard let script else { return }
        let swift = parts.map(\.swift)
        let surroundings = swift.compactMap(\.surrounding)
        script.add("\(failure == nil ? "try" : "_ = try?") \(door ?? "db.blocking.write") { c in")
        for call in surroundings { script.add("\(call) { (c) -> Void in") }
        for line in changes() { script.add("    \(line)") }
        if let failure { script.add("    throw CancellationError()    // \(failure)") }
        for _ in surroundings { script.add("}") }
        for line in swift.compactMap(\.lastLine) where failure == nil { script.add("    \(line)") }
        script.add("}")
    }

    /// Adds the reopening of the database.
    func logReopening() {
        guard let script else { return }
        for variable in script.variables { script.add(variable.end) }
        script.add("try db.blocking.close()")
        script.add("db = try open()")
    }
}
