import FaultInjection
import Foundation
import LaboratorySupport
import Squall
import SquallEncryption

/// A key that cannot be changed, or a copy that cannot be made: on a full disk, and where a system call fails.
struct FailedTrial {
    enum Work: String, CaseIterable {
        case rekey, copy
    }

    enum Failure: String, CaseIterable {
        /// All calls that need space fail from one on.
        case fullDisk
        /// One call fails.
        case oneCall
        /// No file can become larger than a size.
        case fileSize

        var name: String {
            switch self {
            case .fullDisk: "full disk"
            case .oneCall: "failing call"
            case .fileSize: "limit of the size of files"
            }
        }

        /// Begins the failure. Returns false when a number is beyond the last point.
        func begin(_ number: Int) {
            switch self {
            case .fullDisk: fault_begin(fault_writes, Int64(number), true, ENOSPC)
            case .oneCall: fault_begin(fault_system_calls, Int64(number), false, EIO)
            case .fileSize: _ = fault_limit_file_size(Int64(number) * 8_192)
            }
        }

        func end() {
            if self == .fileSize { _ = fault_limit_file_size(-1) } else { fault_end() }
        }
    }

    let work: Work
    let failure: Failure
    let mode: Configuration.JournalMode
    /// The distance of the points that are tried.
    let stride: Int

    var name: String { "\(failure.name); \(work.rawValue); \(mode.rawValue.uppercased())" }

    func arguments(_ folder: String) -> [String] {
        ["fail", work.rawValue, failure.rawValue, mode.rawValue, "\(stride)", folder]
    }

    init(work: Work, failure: Failure, mode: Configuration.JournalMode, stride: Int) {
        (self.work, self.failure, self.mode, self.stride) = (work, failure, mode, stride)
    }

    init?(_ arguments: [String]) {
        guard arguments.count == 5, let work = Work(rawValue: arguments[0]), let failure = Failure(rawValue: arguments[1]),
            let mode = Configuration.JournalMode(rawValue: arguments[2]), let stride = Int(arguments[3])
        else { return nil }
        self.init(work: work, failure: failure, mode: mode, stride: stride)
    }

    /// Tries all points in one process.
    func runChild(_ path: String) async throws {
        let (folder, report) = (SealedFolder(path: path, mode: mode), Report())
        SealedLane.watch(folder)
        try folder.fill()
        let database = try folder.open()
        var (added, number) = (0, 1)
        while number < 100_000 {
            report.point()
            failure.begin(number)
            let error = await attempt(database, folder)
            failure.end()
            guard let error else { break }
            let place = "\(failure.name) \(number)"
            if !isTyped(error) { report.violation("\(place): \(error)") }
            do {
                try await check(database, folder, &added).forEach { report.violation("\(place), \(error): \($0)") }
            } catch let later {
                report.violation("\(place), \(error): later \(later)")
                return report.end()
            }
            number += stride
        }
        report.check(number > 1, "nothing has failed")
        try await database.close()
        let key = work == .rekey ? SealedFolder.newKey : SealedFolder.oldKey
        try folder.problems(key, acknowledged: added).forEach { report.violation($0) }
        if work == .copy {
            try folder.problems(SealedFolder.newKey, name: "copy.db", acknowledged: added).forEach { report.violation($0) }
        }
        for name in folder.filesInClear() { report.violation("\(name) is in clear") }
        report.end()
    }

    private func attempt(_ database: Database, _ folder: SealedFolder) async -> (any Error)? {
        do {
            switch work {
            case .rekey: try await database.rekey(to: SealedFolder.newKey)
            case .copy: try await database.copy(to: folder.file("copy.db"), encryption: SealedFolder.newKey)
            }
            return nil
        } catch {
            return error
        }
    }

    private func isTyped(_ error: any Error) -> Bool {
        guard let error = error as? SQLiteError else { return false }
        if error.problem(EncryptionProblem.self) == .keyNotChanged { return true }
        return [ResultCode.full, .ioError, .cantOpen, .busy].contains { $0 == error.resultCode }
    }

    /// Reads and writes go on, with the old key, and nothing is lost.
    private func check(_ database: Database, _ folder: SealedFolder, _ added: inout Int) async throws -> [String] {
        var problems: [String] = []
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM notes") }
        if count != SealedFolder.rowCount + added { problems.append("\(count) rows, \(added) of them added") }
        let next = SealedFolder.firstAdded + added
        try await database.write { try SealedFolder.insert(next, $0) }
        added += 1
        problems += try folder.problems(SealedFolder.oldKey, acknowledged: added)
        if try folder.opens(SealedFolder.newKey) { problems.append("the new key opens the file") }
        if FileManager.default.fileExists(atPath: folder.file("copy.db")) { problems.append("a partial copy is left") }
        return problems
    }
}
