import Foundation
import SquallTestSupport
import Testing

@testable import Squall
import SquallSearch

/// Code of the user that SQLite calls closes its connection, or frees something else that the call may use.
///
/// The address sanitizer finds what is used after it was freed: in Squall, and in an SQLite that is built with it.
struct CallTests {
    @Test(arguments: CallPlace.all) func aConnectionThatIsClosedInACallIsClosedWhenSQLiteHasReturned(
        _ place: CallPlace
    ) throws {
        guard let scene = try perform(.close, in: place) else { return }
        #expect(scene.error == nil)
        #expect(scene.connection.isClosed)
        // The handle too.
        switch scene.connection.state {
        case .closed: break
        // The claim has closed it.
        case .claimed where place.rule == .claimed: break
        default: Issue.record("\(scene.connection.state)")
        }
        #expect(throws: SQLiteError.self) { try scene.connection.run("SELECT 1") }
    }

    @Test(arguments: CallPlace.all) func whatACallMayUseIsNotFreed(_ place: CallPlace) throws {
        for deed in CallDeed.all where deed.name != CallDeed.close.name && !(place.isOnDisk && deed.needsMemory) {
            if let scene = try perform(deed, in: place) { check(scene, deed, place) }
        }
    }

    /// Makes SQLite call the code at a place, which does the deed; `nil` if SQLite was built without what they need.
    private func perform(_ deed: CallDeed, in place: CallPlace) throws -> CallScene? {
        let scene = try CallScene(onDisk: place.isOnDisk)
        do {
            try deed.prepare(scene)
            scene.deed = { [unowned scene] in try deed.perform(scene) }
            try place.enter(scene)
        } catch let error as SQLiteError where isAboutMissingFeature(error) {
            return nil
        }
        scene.deed = nil
        // A statement can prevent the call: SQLite does not remove a function while one is on a row, and keeps a handle that has one.
        #expect(scene.hasCalled || scene.statement != nil || scene.cursor != nil, "\(deed.name)")
        return scene
    }

    private func isAboutMissingFeature(_ error: SQLiteError) -> Bool {
        switch error.kind {
        case .libraryLacks(.sessions): !SQLiteFeatures.sessions
        case .libraryLacks(.preUpdateHook): !SQLiteFeatures.preUpdateHook
        case .libraryLacks(.fullTextSearch): !SQLiteFeatures.fullTextSearch
        case .libraryLacks(.spatialTables): !SQLiteFeatures.spatialTables
        default: false
        }
    }

    private func check(_ scene: CallScene, _ deed: CallDeed, _ place: CallPlace) {
        let name = Comment(rawValue: "\(deed.name), in \(place.name)")
        if let error = scene.error { #expect(error is SQLiteError, name) }
        if scene.hasCalled { checkError(scene.error as? SQLiteError, deed, place, name) }
        guard place.rule != .closing else { return #expect(scene.connection.isClosed, name) }
        #expect(!scene.connection.isClosed, name)
        #expect(!scene.connection.callbacks.pointee.hasWorkLeft, name)
        scene.statement = nil
        scene.cursor = nil
        do {
            if scene.connection.isInTransaction { try scene.connection.execute("ROLLBACK") }
            try scene.connection.execute("CREATE TABLE afterwards(id); DROP TABLE afterwards")
            #expect(try scene.connection.integrityCheck() == [], name)
            #expect(scene.connection.statements.count == scene.connection.statementCache.count, name)
        } catch {
            Issue.record(error, name)
        }
    }

    private func checkError(_ error: SQLiteError?, _ deed: CallDeed, _ place: CallPlace, _ name: Comment) {
        switch place.rule {
        case .closing, .claimed: break
        case .nothing where deed.usesConnection:
            guard case .hookReentrancy = error?.kind else {
                #expect(error?.kind == .hookReentrancy(hook: "any"), name)
                return
            }
        case .nothing, .statements:
            switch deed.outcome {
            case .done: #expect(error == nil, name)
            case .any: break
            case .refused(let kinds, let code):
                #expect(error.map { kinds.contains($0.kind) || kinds.isEmpty && $0.resultCode == code } == true, name)
            }
        }
    }
}

// MARK: - Particular cases

extension CallTests {
    /// SQLite would commit in the hook, when the only statement that reads is ended, and then report that nothing was committed.
    @Test(arguments: [true, false]) func aHookThatRefusesACommitMayReleaseAStatementOnARow(isCursor: Bool) throws {
        let connection = try Connection(":memory:", configuration: .sqlite)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
        var statement: Statement? = try connection.prepare("SELECT a FROM t")
        var cursor: RowCursor<Int>? = try connection.rows("SELECT a FROM t", as: Int.self)
        if isCursor { _ = try cursor?.next() } else { try statement?.step() }
        connection.addCommitObserver {
            statement = nil
            cursor = nil
            return true
        }
        try connection.execute("BEGIN; INSERT INTO t VALUES(3)")
        #expect(try sqliteError { try connection.execute("COMMIT") }.resultCode == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
        #expect(!connection.callbacks.pointee.hasWorkLeft)
    }

    /// The backup closes the handle of its destination, with which SQLite releases the tables.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch))
    func theObjectsOfADestinationThatIsReleasedAreReleasedByTheBackup() throws {
        final class Held {
            let released: () -> Void
            init(_ released: @escaping () -> Void) { self.released = released }
            deinit { released() }
        }
        struct Holding: TableSource {
            let held: Held
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) -> [Int] { [1] }
        }
        let log = Log()
        let source = try Connection(":memory:")
        try source.execute("CREATE TABLE t(a)")
        var destination: Connection? = try Connection(":memory:")
        try destination?.register(named: "held") { _ in Holding(held: Held { log.add("table") }) }
        try destination?.addTokenizer(
            "held",
            makingWith: { _ in
                let held = Held { log.add("tokenizer") }
                return { _, _, _ in withExtendedLifetime(held) {} }
            })
        try destination?.execute(
            """
            CREATE VIRTUAL TABLE texts USING fts5(a, tokenize = held);
            CREATE VIRTUAL TABLE v USING held;
            SELECT count(*) FROM v
            """)
        let backup = try #require(destination.map { source.backup(to: $0, pagesPerStep: 1) })
        try backup.run { _ in destination = nil }
        #expect(log.lines.sorted() == ["table", "tokenizer"])
    }
}

// MARK: - Completeness

extension CallTests {
    /// Members of SQLite's structures and functions that get code of the library only.
    private static let withoutUserCode: [String: String] = [
        "sqlite3_exec": "the rows of a PRAGMA",
        "sqlite3changeset_start_v2_strm": "no connection",
        "sqlite3changeset_invert_strm": "no connection",
        "sqlite3session_patchset_strm": "the same as for a changeset",
        "sqlite3_auto_extension": "functions in C", "squall_find_session_hook": "returns a function",
        "xOpen": "makes a cursor", "xEof": "compares a pointer",
        "xSetAuxdata": "the state of a search", "xDelUser": "the release of a spatial test",
    ]

    /// Functions of FTS5 that call nothing, or the tokenizer of the table.
    private static let functionsOfSearch: Set<String> = [
        "xColumnCount", "xColumnSize", "xColumnText", "xColumnTotalSize", "xFindTokenizer", "xGetAuxdata", "xInst",
        "xInstCount",
        "xPhraseCount", "xPhraseFirst", "xPhraseFirstColumn", "xPhraseNext", "xPhraseNextColumn", "xPhraseSize",
        "xRowCount",
        "xTokenize", "xUserData",
    ]

    @Test func everyFunctionThatGetsCodeHasAPlace() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = (0..<5).reduce(file) { url, _ in url.deletingLastPathComponent() }.appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        let text = try names.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
        let functions = text.matches(
            of:
                /\b(?:sqlite3|squall)_(?:create_\w+|\w+_hook(?=\()|set_authorizer|trace_v2|\w+_handler|set_auxdata|\w+_callback|exec|auto_extension)\b/
        ).map { String($0.output).replacing("squall_auto", with: "sqlite3_auto") }
        let changes = text.matches(of: /\bsqlite3(?:session|changeset)_\w*(?:_strm|_apply_v2|_table_filter)\b/).map {
            String($0.output)
        }
        let members = text.matches(of: /\b(?:module|pointee)\.(x[A-Z]\w+)(?: =|\?\(|\()/).map { String($0.1) }
            .filter { !Self.functionsOfSearch.contains($0) }
        let known = Set(CallPlace.all.map(\.function)).union(Self.withoutUserCode.keys)
        let missing = Set(functions + changes + members).subtracting(known)
        #expect(missing.isEmpty)
        #expect(functions.count > 20 && changes.count > 4 && members.count > 20)
    }
}
