import Squall
import SquallTestSupport
import Testing

/// A pool that cannot open another connection, as at the limit of open files, goes on with those that it has.
@Suite(.timeLimit(.minutes(10)))
struct DescriptorLimitTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    /// A database that opens so many readers, and no more.
    private func database(readers: Int) throws -> Database {
        let opened = Shared(0)
        return try Database(
            path,
            readerConnectionPreparation: { _ in
                guard opened.next() > readers else { return }
                throw SQLiteError(code: ResultCode.cantOpen.rawValue, message: "unable to open database file")
            }
        )
    }

    @Test func readersWaitForAConnectionThatIsOpen() async throws {
        let database = try database(readers: 1)
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.read { connection in
                isIn.open()
                gate.wait()
                return try connection.query("SELECT 1") as Int
            }
        }
        await isIn.passed()
        let blocking = (0..<3).map { _ in
            ThreadResult { try database.blocking.read { try $0.query("SELECT 2") as Int } }
        }
        async let suspended: Int = database.read { try $0.query("SELECT 3") }
        await until { database.statistics.waitingReads == 4 }
        gate.open()
        #expect(try holder.get() == 1)
        for thread in blocking { #expect(try thread.get() == 2) }
        #expect(try await suspended == 3)
        #expect(database.statistics.readers == 1)
        try await database.close()
    }

    @Test func aCallThatWaitsInsteadOfOpeningCanBeCancelled() async throws {
        let database = try database(readers: 1)
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.read { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let waiting = Task { try await database.read { try $0.query("SELECT 3") as Int } }
        await until { database.statistics.waitingReads == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.open()
        try holder.get()
        try await database.close()
    }

    /// The first reader opens; the second fails for a reason of its own, and passes its permit to a waiter, which cannot open.
    @Test func aTimeoutHoldsAfterTheTurnToOpen() throws {
        struct NotReady: Error {}
        let (opened, isOpening, fails) = (Shared(0), Gate(), Gate())
        let database = try Database(
            path, maximumReaders: 2,
            readerConnectionPreparation: { _ in
                switch opened.next() {
                case 1: break
                case 2:
                    isOpening.open()
                    fails.wait()
                    throw NotReady()
                default: throw SQLiteError(code: ResultCode.cantOpen.rawValue, message: "unable to open database file")
                }
            }
        )
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult {
            try database.blocking.read { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        let second = ThreadResult { try database.blocking.read { _ in } }
        isOpening.wait()
        let timeout = Duration.milliseconds(300)
        let hasEnded = Shared(false)
        let waiting = ThreadResult {
            defer { hasEnded.update { $0 = true } }
            try database.blocking.read(deadline: timeout) { _ in }
        }
        until { database.statistics.waitingReads == 1 || hasEnded.value }
        fails.open()
        #expect(throws: NotReady.self) { try second.get() }
        #expect(try errorKind { try waiting.get() } == .interrupted(.deadline))
        gate.open()
        try holder.get()
        try database.blocking.close()
    }

    @Test func aPoolWithoutAConnectionThrows() throws {
        let database = try database(readers: 0)
        for _ in 0..<2 {
            let error = try sqliteError { try database.blocking.read { _ in } }
            #expect(error.resultCode == .cantOpen)
            #expect(error.message == "unable to open database file")
        }
        try database.blocking.close()
    }
}
