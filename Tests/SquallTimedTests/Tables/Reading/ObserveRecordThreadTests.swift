import SquallTestSupport
import Testing

@testable import Squall

/// Observed records that are left out where they equal the one before, and observations that end.
@Suite(.timeLimit(.minutes(10)))
struct ObserveRecordThreadTests {
    private struct Word: TableRecord, Equatable {
        let text: String
        let count: Int

        static let table = Table("words", Word.init) {
            Column("text", \Word.text, .primaryKey)
            Column("count", \Word.count)
        }
    }

    private struct PlainWord: TableRecord {
        let text: String
        let count: Int

        static let table = Table("words", PlainWord.init) {
            Column("text", \PlainWord.text, .primaryKey)
            Column("count", \PlainWord.count)
        }
    }

    private let words: ObservedDatabase
    private var database: Database { words.database }

    init() throws {
        words = try ObservedDatabase()
        try words.database.blocking.write { connection in
            try connection.create(Word.table)
            try connection.insert(contentsOf: [Word(text: "one", count: 1), Word(text: "two", count: 2)])
        }
    }

    /// The key is not the rowid: the query runs again, and its record is left out.
    @Test func aChangeOfAnotherRow() async throws {
        let (count, hasReadAgain) = (Shared(0), Gate())
        let token = database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            guard case .statement(_, let sql) = event, sql.contains("WHERE \"words\".\"text\" = ?") else { return }
            if count.next() == 2 { hasReadAgain.open() }
        }
        let values = Follower(database.observe(Word.self, "one")) { $0 == nil }
        await values.hasValue.passed()
        try await database.write { try $0.run("UPDATE words SET count = 3 WHERE text = 'two'") }
        await hasReadAgain.passed()
        try await database.write { try $0.run("DELETE FROM words WHERE text = 'one'") }
        #expect(try await values.values() == [Word(text: "one", count: 1), nil])
        token.cancel()
    }

    /// A record that is not `Equatable` cannot be left out.
    @Test func aRecordThatCannotBeCompared() async throws {
        var values = database.observe(PlainWord.self, "one").makeAsyncIterator()
        #expect(try await values.next()??.count == 1)
        try await database.write { try $0.run("UPDATE words SET count = 3 WHERE text = 'two'") }
        #expect(try await values.next()??.count == 1)
    }

    @Test func itEndsWithItsTask() async throws {
        let values = Follower(database.observe(Word.self, "one"))
        await values.hasValue.passed()
        values.cancel()
        #expect(try await values.values() == [Word(text: "one", count: 1)])
    }

    @Test @MainActor func anObservableRecord() async throws {
        let word = Live(database.observe(Word.self, "one"))
        while word.value??.count != 1 { await Task.yield() }
        try await database.write { try $0.run("DELETE FROM words") }
        while word.value != .some(nil) { await Task.yield() }
    }
}
