import SquallTestSupport
import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct BackupSessionTests {
    /// An actor whose thread must stay free for its other calls.
    private actor Consumer {
        func next(_ session: BackupSession, _ hasBegun: Gate) async throws -> BackupProgress? {
            hasBegun.open()
            return try await session.next()
        }

        func ping() {}
    }

    @Test func theNextStepWaitsForTheStepBeforeItWithoutAThread() async throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("app.db"))
        let session = BackupSession(database.backup(to: directory.file("copy.db")))
        try await database.read { try session.begin(from: $0) }
        let (isInStep, step, hasBegun) = (Gate(), Gate(), Gate())
        session.end(nil) {
            isInStep.open()
            step.wait()
        }
        await isInStep.passed()
        let consumer = Consumer()
        async let next = consumer.next(session, hasBegun)
        await hasBegun.passed()
        await consumer.ping()
        step.open()
        #expect(try await next == nil)
    }
}
