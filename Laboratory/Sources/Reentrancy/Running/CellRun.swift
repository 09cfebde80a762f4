import Foundation
import LibraryLog
import Squall

/// Runs one cell, and finds what does not hold.
struct CellRun {
    let cell: Cell
    let template: String
    let path: String
    private var violations: [String] = []
    /// How the calls of the cell have ended, for a listing.
    private(set) var results: [CallResult] = []
    /// Whether the situation has occurred, and the call was made.
    private(set) var hasMadeCall = false

    init(_ cell: Cell, template: String, path: String) {
        self.cell = cell
        self.template = template
        self.path = path
    }

    /// Runs the cell, and returns a sentence for each violation.
    mutating func run() -> [String] {
        _ = library_log_take_misuse_count()
        do {
            let scene = try Scene(cell.ground, copying: template, to: path)
            perform(in: scene)
            checkMisuse("the call")
            checkAfterwards(scene)
            scene.releaseOwners()
        } catch {
            violations.append("the cell itself failed: \(error)")
        }
        if !OpenFiles.areClosed(prefix: path) { violations.append("files are open after everything was released") }
        checkFile()
        checkMisuse("the end")
        removeFiles()
        return violations
    }

    private mutating func perform(in scene: Scene) {
        var trigger: Trigger?
        var failure: (any Error)?
        do {
            try scene.onGround {
                try cell.call.perform(scene) { body in
                    let made = Trigger(scene, body)
                    trigger = made
                    defer { if cell.situation.time == .inside { made.discard() } }
                    try cell.situation.enter(scene, made)
                }
            }
        } catch {
            failure = error
            if let sentence = Self.untyped(error) { violations.append("the situation threw \(sentence)") }
        }
        results = scene.finish()
        hasMadeCall = trigger?.hasFired == true
        if !hasMadeCall {
            let problem = trigger == nil ? "the call could not be prepared" : "the situation did not occur"
            violations.append(problem + (failure.map { ": \($0)" } ?? ""))
        }
        checkResults()
    }

    private mutating func checkResults() {
        for result in results {
            switch result {
            case .returned:
                if cell.outcome == .fails { violations.append("must throw, but returned") }
            case .threw(let error):
                if let sentence = Self.untyped(error) { violations.append("threw \(sentence)") }
                if cell.outcome == .returns { violations.append("must return, but threw \(error)") }
            }
        }
    }

    /// Reads SQLite's log since the last check.
    private mutating func checkMisuse(_ time: String) {
        guard library_log_take_misuse_count() > 0 else { return }
        violations.append("SQLite reports misuse until \(time): \(String(cString: library_log_last_misuse()))")
    }

    // MARK: - Afterwards

    /// Uses the objects of the scene again. Only a cell that closes them may find them closed.
    private mutating func checkAfterwards(_ scene: Scene) {
        let closes = scene.isOver || cell.call.name == "Connection.close()"
        do {
            if let database = scene.database {
                try check(database)
            } else if let connection = scene.connection {
                try? connection.authorizer(nil)
                try check(connection)
            }
        } catch let error as SQLiteError where closes && error.isClosed {
        } catch {
            violations.append("afterwards, a transaction fails: \(error)")
        }
    }

    private mutating func check(_ connection: Connection) throws {
        try checkContent(connection)
        try connection.transaction(transactionType: .immediate) { try Self.write(on: connection) }
    }

    private mutating func check(_ database: Database) throws {
        try database.blocking.writeWithoutTransaction { try checkContent($0) }
        try database.blocking.write { try Self.write(on: $0) }
        let found = try database.blocking.read { try $0.integrityCheck() }
        if !found.isEmpty { violations.append("a reader finds damage: \(found)") }
    }

    private mutating func checkContent(_ connection: Connection) throws {
        if connection.isInTransaction { violations.append("a transaction is open afterwards") }
        let found = try connection.integrityCheck()
        if !found.isEmpty { violations.append("the connection finds damage: \(found)") }
    }

    private static func write(on connection: Connection) throws {
        try connection.execute("CREATE TABLE afterwards(id); DROP TABLE afterwards")
    }

    /// Checks the file with a connection of its own.
    private mutating func checkFile() {
        do {
            let connection = try Scene.connection(path)
            defer { connection.close() }
            try check(connection)
        } catch {
            violations.append("afterwards, the file cannot be used: \(error)")
        }
    }

    private func removeFiles() {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(url.lastPathComponent) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// A description of an error that is not one of Squall's; `nil` for those.
    private static func untyped(_ error: any Error) -> String? {
        if error is CancellationError { return nil }
        return String(reflecting: type(of: error)).hasPrefix("Squall.") ? nil : "an error of another type: \(error)"
    }
}

extension SQLiteError {
    /// Whether it says that a connection or a database is closed.
    fileprivate var isClosed: Bool {
        if case .closed = kind { return true }
        return false
    }
}
