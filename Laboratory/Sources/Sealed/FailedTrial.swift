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

        /// Begins the failure at a point, or at a size.
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
        guard arguments.count == 5, let work = Work(rawValue: arguments[0]),
            let failure = Failure(rawValue: arguments[1]),
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
        var state = State()
        for number in Swift.stride(from: 1, to: 100_000, by: stride) {
            failure.begin(number)
            let error = await attempt(database, folder, state)
            failure.end()
            let call = failure == .fileSize ? "" : " (\(String(cString: fault_failed_name())))"
            // A failure that the library makes up for is one too.
            guard error != nil || failure != .fileSize && fault_failed_count() > 0 else { break }
            report.point()
            let place = "\(failure.name) \(number)\(call), \(error.map { "\($0)" } ?? "no error")"
            if let error, !isTyped(error) { report.violation(place) }
            if error == nil, work == .rekey { swap(&state.key, &state.other) }
            do {
                try await check(database, folder, &state, error).forEach { report.violation("\(place): \($0)") }
            } catch let later {
                report.violation("\(place): later \(later)")
                return report.end()
            }
        }
        try await finish(database, folder, state).forEach { report.violation($0) }
        report.end()
    }

    /// The key of the file, the other one, and the number of rows that were added.
    private struct State {
        var key = SealedFolder.oldKey
        var other = SealedFolder.newKey
        var added = 0
    }

    /// Returns what is wrong after the attempt without a failure.
    private func finish(_ database: Database, _ folder: SealedFolder, _ state: State) async throws -> [String] {
        try await database.close()
        let key = work == .rekey ? state.other : state.key
        var problems = try folder.problems(key, acknowledged: state.added)
        if work == .copy {
            problems += try folder.problems(SealedFolder.newKey, name: "copy.db", acknowledged: state.added)
        }
        return problems + folder.filesInClear().map { "\($0) is in clear" }
    }

    private func attempt(_ database: Database, _ folder: SealedFolder, _ state: State) async -> (any Error)? {
        do {
            switch work {
            case .rekey: try await database.rekey(to: state.other)
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
        // SQLite reports a page that it cannot read as damage, and a first page as a file that is not a database.
        let ofCall: [ResultCode] = [.corrupt, .notADatabase, .busy, .readOnly, .locked, ResultCode(rawValue: 15)]
        let codes: [ResultCode] = [.full, .ioError, .cantOpen] + (failure == .oneCall ? ofCall : [])
        return codes.contains { $0 == error.resultCode }
    }

    /// Whether a change of the key may be found committed although it has thrown: SQLite's frames are complete in a log that could not be
    /// flushed, and no connection can read the file on a full disk.
    private var mayHaveEither: Bool {
        failure == .fullDisk && mode == .wal && ["fsync", "fdatasync"].contains(String(cString: fault_failed_name()))
    }

    /// Reads and writes go on, with the old key, and nothing is lost.
    private func check(
        _ database: Database, _ folder: SealedFolder, _ state: inout State, _ error: (any Error)?
    ) async throws -> [String] {
        // A write, because readers may not play back a journal that could not be played back during the failure.
        let added = state.added
        try await database.write { connection in
            // With a row for each point, the file would grow faster than the number of the point.
            if added < 3 { try SealedFolder.insert(SealedFolder.firstAdded + added, connection) }
            try connection.run("UPDATE notes SET text = text WHERE id < 10")
        }
        state.added = min(3, added + 1)
        if error != nil, mayHaveEither, try folder.opens(state.other) { swap(&state.key, &state.other) }
        var problems: [String] = []
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM notes") }
        if count != SealedFolder.rowCount + state.added {
            problems.append("\(count) rows, \(state.added) of them added")
        }
        problems += try folder.problems(state.key, acknowledged: state.added)
        if try folder.opens(state.other) { problems.append("the other key opens the file") }
        let hasCopy = FileManager.default.fileExists(atPath: folder.file("copy.db"))
        if hasCopy, error != nil { problems.append("a partial copy is left") }
        if hasCopy { try FileManager.default.removeItem(atPath: folder.file("copy.db")) }
        return problems
    }
}
