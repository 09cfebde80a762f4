import Foundation
import Squall

/// Copies that are read as immutable files of strangers, and the file itself read with their settings. Some copies
/// are then opened as other files, and written.
final class UntrustedCopy: FeatureParts {
    private let suffix: String
    /// Whether a copy was used.
    private var hasUsed = false

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let path = "\(world.folder)/untrusted_\(suffix).db"
        try? FileManager.default.removeItem(atPath: path)
        world.log(
            """
            try db.blocking.vacuum(into: path)
            let copy = try Connection(path, mode: .immutable, configuration: .untrusted)
            """)
        try world.database.blocking.vacuum(into: path)
        try check(path, .immutable, world)
        if !hasUsed || dice.once(in: 6) {
            hasUsed = true
            try UsedCopy.use(path, world, &dice)
        }
        if !world.settings.isInMemory { try check(world.database.fileName, .readOnly, world) }
        try world.check()
    }

    private func check(_ path: String, _ mode: Connection.Mode, _ world: World) throws {
        let file = try Connection(path, mode: mode, configuration: .untrusted)
        defer { file.close() }
        for prepare in world.settings.preparations { try prepare(file) }
        let problems = try file.quickCheck()
        try require(problems.isEmpty, "quickCheck of an untrusted file: \(problems)")
        try world.checkRows(file, "an untrusted file, \(mode)")
        do {
            try file.run("UPDATE authors SET name = 'owner'")
            throw Violation(description: "a file that can only be read was written")
        } catch ResultCode.readOnly {}
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
