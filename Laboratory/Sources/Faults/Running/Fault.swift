import FaultInjection
import Foundation
import Squall

/// A way in which SQLite's calls of the operating system fail.
enum Fault: String, CaseIterable, Sendable {
    /// One system call fails with EIO.
    case oneCall
    /// All system calls from one on fail with EIO, as with a disk that was pulled out.
    case allCalls
    /// One system call that needs space fails with ENOSPC.
    case oneWrite
    /// All system calls from one on that need space fail with ENOSPC, as on a full disk. Reading still works.
    case allWrites
    /// One allocation fails.
    case oneAllocation
    /// All allocations from one on fail.
    case allAllocations

    static let inputAndOutput: [Fault] = [.oneCall, .allCalls, .oneWrite, .allWrites]
    static let memory: [Fault] = [.oneAllocation, .allAllocations]

    /// The codes with which SQLite, or Squall, reports the fault, by the name of the system call that has failed.
    func codes(_ failedCall: String) -> [ResultCode] {
        switch (self, failedCall) {
        case (.oneAllocation, _), (.allAllocations, _):
            // The transaction is lost where a savepoint could not be rolled back.
            [.outOfMemory, Self.ioErrorNoMemory, .transactionLost]
        // SQLite opens a file read-only that it cannot open for writing.
        case (.oneCall, "open"), (.oneWrite, "open"): [.full, .ioError, .cantOpen, .transactionLost, .readOnly]
        case (.oneWrite, _): [.full, .ioError, .cantOpen, .transactionLost]
        case (.allWrites, _): [.full, .ioError, .cantOpen, .transactionLost, .readOnly]
        case (.oneCall, "fcntl"), (.oneCall, "fcntl F_RDLCK"):
            [.ioError, .transactionLost, .busy, Self.lockingProtocol]
        // SQLite reports a page that it cannot read as damage, and a first page as a file that is not a database.
        case (.oneCall, _): [.ioError, .corrupt, .notADatabase, .cantOpen, .full, .transactionLost]
        case (.allCalls, _):
            [
                .ioError, .corrupt, .notADatabase, .cantOpen, .full, .transactionLost, .readOnly, .busy,
                Self.lockingProtocol,
            ]
        }
    }

    /// `SQLITE_PROTOCOL`: the locks of a log's index cannot be taken.
    private static let lockingProtocol = ResultCode(rawValue: 15)
    /// `SQLITE_IOERR_NOMEM`: memory was missing while SQLite used a file.
    private static let ioErrorNoMemory = ResultCode(rawValue: 10 | 12 << 8)

    /// Whether memory is missing.
    var isOfMemory: Bool { Self.memory.contains(self) }

    /// Begins to count calls, the given one of which fails.
    func begin(at point: Int) {
        fault_begin(kind, Int64(point), isPersistent, errorNumber)
    }

    private var kind: fault_kind {
        switch self {
        case .oneCall, .allCalls: fault_system_calls
        case .oneWrite, .allWrites: fault_writes
        case .oneAllocation, .allAllocations: fault_allocations
        }
    }

    private var isPersistent: Bool {
        switch self {
        case .oneCall, .oneWrite, .oneAllocation: false
        case .allCalls, .allWrites, .allAllocations: true
        }
    }

    private var errorNumber: Int32 {
        switch self {
        case .oneCall, .allCalls: EIO
        case .oneWrite, .allWrites: ENOSPC
        case .oneAllocation, .allAllocations: ENOMEM
        }
    }
}
