import Foundation
import Squall
import SquallTestSupport
import Testing

/// Backups as a sequence of their steps.
struct BackupSequenceTests {
    let directory: TemporaryDirectory
    let source: Connection
    let destination: Connection

    init() throws {
        directory = try TemporaryDirectory()
        source = try Connection(directory.file("source.db"))
        try source.fill()
        destination = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try destination.execute("CREATE TABLE old(a); INSERT INTO old VALUES('kept')")
    }

    private func expectOld() throws {
        #expect(try destination.query("SELECT a FROM old") == "kept")
        #expect(try destination.integrityCheck() == [])
    }

    @Test func yieldsEachStepAndThenTheDestinationCanBeUsed() async throws {
        var left: [Int] = []
        for try await progress in source.backup(to: destination, pagesPerStep: 10) { left.append(progress.remaining) }
        let pages = try source.pageCount()
        #expect(left == Array(stride(from: pages - 10, to: 0, by: -10)) + [0])
        #expect(try destination.digest() == source.digest())
    }

    @Test func nothingHappensBeforeTheFirstStep() async throws {
        let backup = source.backup(to: destination, pagesPerStep: 10)
        var iterator = backup.makeAsyncIterator()
        try expectOld()
        let first = try await iterator.next()
        #expect(first?.completed == 10)
        #expect(try sqliteError { try destination.run("SELECT 1") }.resultCode == .busy)
        while try await iterator.next() != nil {}
        let after = try await iterator.next()
        #expect(after == nil)
        #expect(try destination.rowCount() == 60)
    }

    @Test func leavingTheLoopLeavesTheDestinationAsItWas() async throws {
        for try await _ in source.backup(to: destination, pagesPerStep: 10) { break }
        try expectOld()
    }

    @Test func aFailureEndsTheSequence() async throws {
        try destination.execute("PRAGMA max_page_count = 30")
        var iterator = source.backup(to: destination, pagesPerStep: 10).makeAsyncIterator()
        var steps = 0
        var failure: SQLiteError?
        do {
            while try await iterator.next() != nil { steps += 1 }
        } catch let error as SQLiteError {
            failure = error
        }
        #expect(steps >= 1)
        #expect(failure?.resultCode == .full)
        let after = try await iterator.next()
        #expect(after == nil)
        try expectOld()
    }

    @Test func aSourceInMemoryIsUsedBetweenTheSteps() async throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill()
        var steps = 0
        for try await progress in memory.backup(to: destination, pagesPerStep: 10) {
            steps += 1
            if progress.remaining > 0, steps < 3 { try memory.addRows() }
        }
        #expect(try destination.rowCount() == 62)
        #expect(try destination.digest() == memory.digest())
    }

    @Test func aSourceInMemoryClosedMeanwhileIsAnError() async throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill()
        var failure: SQLiteError?
        do {
            for try await _ in memory.backup(to: destination, pagesPerStep: 10) { memory.close() }
        } catch let error as SQLiteError {
            failure = error
        }
        #expect(failure?.message == "the connection is closed")
        try expectOld()
    }

    @Test func aDestinationInUseIsAnErrorOfTheFirstStep() async throws {
        var iterator = source.backup(to: source).makeAsyncIterator()
        var failure: SQLiteError?
        do {
            _ = try await iterator.next()
        } catch let error as SQLiteError {
            failure = error
        }
        #expect(failure?.code == 1)
    }

    @MainActor @Test func onAnActor() async throws {
        let source = try Connection(directory.file("source.db"))
        let destination = try Connection(storageLocation: .inMemory)
        for try await _ in source.backup(to: destination, pagesPerStep: 10) { MainActor.assertIsolated() }
        #expect(try destination.rowCount() == 60)
    }
}
