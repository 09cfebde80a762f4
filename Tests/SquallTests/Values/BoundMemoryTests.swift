import Foundation
import Squall
import Testing

/// Values that are bound are where they were when SQLite reads them.
struct BoundMemoryTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
    }

    @Test func aStatementOfYourOwnCopiesWhatItIsGiven() throws {
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 7)
        let base = try #require(bytes.baseAddress)
        try insert.bind(Data(bytesNoCopy: base, count: bytes.count, deallocator: .none))
        bytes.deallocate()
        try insert.run()
        #expect(try connection.query("SELECT a FROM t") == Data(repeating: 7, count: 100_000))
    }

    @Test func aLargeValueMayBeChangedAfterTheCall() throws {
        var data = Data(repeating: 1, count: 100_000)
        try connection.run("INSERT INTO t VALUES(?)", data)
        data[0] = 2
        try connection.run("INSERT INTO t VALUES(?)", data)
        let first: [Int] = try connection.query("SELECT unicode(substr(a, 1, 1)) FROM t")
        #expect(first == [1, 2])
    }

    @Test func aLargeValueThatIsQueriedBackIsACopy() throws {
        let row = try connection.query("SELECT ? AS a", Data(repeating: 3, count: 100_000))
        try connection.run("SELECT ? AS a", Data(repeating: 4, count: 100_000))
        #expect(try row?.get("a") == Data(repeating: 3, count: 100_000))
    }

    /// A value that looks at the statement while it is being bound finds nothing of what was bound before.
    @Test func valuesThatLookAtTheirStatementSeeNoFreedMemory() throws {
        struct Curious: Bindable {
            nonisolated(unsafe) let statement: Statement
            var bindingValue: BindingValue { .integer(Int64(statement.expandedSQL?.utf8.count ?? 0)) }
        }
        let insert = try connection.prepare("INSERT INTO t VALUES(?), (?), (?)")
        let text = String(repeating: "x", count: 4000)
        try insert.bind(text, text, text)
        try insert.bind(Curious(statement: insert), text, text)
        try insert.run()
        #expect(try connection.query("SELECT count(*) FROM t") == 3)
    }

    @Test func manyTextsOfMoreThanAnArenaAreBoundAgain() throws {
        for letter in ["a", "b"] {
            let texts = (0..<40).map { _ in String(repeating: letter, count: 4000) }
            let values = texts.map { "\($0)" as SQL }.joined(separator: " || ")
            #expect(try connection.query("SELECT \(values)") == texts.joined())
        }
    }
}
