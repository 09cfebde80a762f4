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
            checkAfterwards(scene)
            scene.releaseOwners()
        } catch {
            violations.append("the cell itself failed: \(error)")
        }
        if !OpenFiles.areClosed(prefix: path) { violations.append("files are open after everything was released") }
        checkFile()
        removeFiles()
        return violations
    }

    private mutating func perform(in scene: Scene) {
        var hasFired = false
        var wasReached = false
        do {
            try scene.onGround {
                try cell.call.perform(scene) { body in
                    wasReached = true
                    let trigger = Trigger(scene, body)
                    defer {
                        hasFired = trigger.hasFired || cell.situation.time == .after
                        if cell.situation.time == .inside { trigger.discard() }
                    }
                    try cell.situation.enter(scene, trigger)
                }
            }
        } catch {
            if let sentence = Self.untyped(error) { violations.append("the situation threw \(sentence)") }
            if !wasReached { violations.append("the call could not be prepared: \(error)") }
        }
        results = scene.finish()
        if wasReached, !hasFired, cell.mustOccur {
            violations.append("the situation did not occur")
        }
        for case .threw(let error) in results {
            if let sentence = Self.untyped(error) { violations.append("threw \(sentence)") }
            if cell.mustSucceed { violations.append("must succeed, but threw \(error)") }
        }
        for case .returned in results where cell.mustThrow {
            violations.append("must throw, but returned")
        }
        let count = library_log_take_misuse_count()
        if count > 0 { violations.append("SQLite reports misuse: \(String(cString: library_log_last_misuse()))") }
    }

    /// Uses the objects of the scene again.
    private mutating func checkAfterwards(_ scene: Scene) {
        do {
            if scene.ground == .own || scene.ground == .memory, let connection = scene.connection, !connection.isClosed
            {
                if connection.isInTransaction { violations.append("a transaction is open afterwards") }
                try? connection.authorizer(nil)
                try connection.transaction(transactionType: .immediate) {
                    try connection.execute("CREATE TABLE afterwards(id); DROP TABLE afterwards")
                }
                let found = try connection.integrityCheck()
                if !found.isEmpty { violations.append("the connection finds damage: \(found)") }
            } else if scene.ground != .own, scene.ground != .memory, !scene.isOver, !scene.writerIsClosed,
                let database = try? scene.requireDatabase()
            {
                try database.transaction { try $0.execute("CREATE TABLE afterwards(id); DROP TABLE afterwards") }
                _ = try database.executeRead { try $0.query("SELECT count(*) FROM sqlite_schema") as Int }
            }
        } catch {
            violations.append("afterwards, a transaction fails: \(error)")
        }
    }

    /// Checks the file with a connection of its own.
    private mutating func checkFile() {
        do {
            let connection = try Scene.connection(path)
            defer { connection.close() }
            let found = try connection.integrityCheck()
            if !found.isEmpty { violations.append("the file is damaged: \(found)") }
            try connection.transaction(transactionType: .immediate) {
                try connection.execute("CREATE TABLE afterwards(id); DROP TABLE afterwards")
            }
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
        if error is CancellationError || error is SceneError { return nil }
        return String(reflecting: type(of: error)).hasPrefix("Squall.") ? nil : "an error of another type: \(error)"
    }
}

extension Scene {
    /// Whether the closure of the writer has closed its connection, which is not opened again.
    fileprivate var writerIsClosed: Bool {
        guard let database else { return true }
        return (try? database.executeWrite { $0.isClosed }) ?? true
    }
}
