import FaultInjection
import Foundation
import LaboratorySupport
import Squall
import SquallEncryption

/// `make sealed`: nothing of an encrypted file is written in clear, and its key is the old one or the new one, whatever happens.
@main
struct SealedLane {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "work": try await KilledTrial.runChild(Array(arguments.dropFirst()))
        case "fail":
            guard let trial = FailedTrial(Array(arguments.dropFirst())) else { exit(2) }
            try await trial.runChild(arguments[5])
        default: exit(try runLane(LaneOptions()))
        }
    }

    /// Prepares SQLite in a child process, before anything uses it.
    static func watch(_ folder: SealedFolder) {
        setenv("SQLITE_TMPDIR", folder.temporary, 1)
        guard fault_install() == 0 else { exit(2) }
        fault_watch(SealedFolder.needle)
    }

    private static func runLane(_ options: LaneOptions) throws -> Int32 {
        guard let cipher = SQLiteLibrary.cipher else {
            writeLine("sealed: this SQLite (\(SQLiteLibrary.version)) has no cipher")
            return 1
        }
        writeLine("\(cipher.name) \(cipher.version), seed \(options.seed)")
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        // SQLCipher prints each page that a wrong key does not open, unless a connection with a key has said otherwise.
        let quiet = try SealedFolder(path: scratch.path, mode: .delete).open()
        defer { try? quiet.blocking.close() }
        try quiet.blocking.writeWithoutTransaction { try $0.execute("PRAGMA cipher_log_level = NONE") }
        var lane = Lane("sealed")
        let modes = [Configuration.JournalMode.wal, .delete]
        for work in SealedWork.allCases {
            for mode in modes where options.includes(work.name(mode)) {
                let count =
                    work == .rekey
                    ? (options.isShort ? 40 : 1_000) : options.isShort ? (work == .temporary ? 4 : 8) : 100
                let trial = KilledTrial(work: work, mode: mode, killCount: count)
                lane.run(work.name(mode)) { try trial.run(scratch, seed: options.seed) }
            }
        }
        for work in FailedTrial.Work.allCases {
            for failure in FailedTrial.Failure.allCases {
                for mode in modes {
                    let trial = FailedTrial(work: work, failure: failure, mode: mode, stride: options.isShort ? 41 : 1)
                    guard options.includes(trial.name) else { continue }
                    lane.run(trial.name) {
                        let folder = try scratch.emptyFolder("failed")
                        let child = try ChildProcess(trial.arguments(folder), errorsIn: scratch.path)
                        let outcome = ChildOutcome(of: child, timeout: 60)
                        return (outcome.points, outcome.violations)
                    }
                }
            }
        }
        writeLine(lane.summary)
        return lane.exitStatus
    }
}
