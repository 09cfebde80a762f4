import Squall
import Testing

struct ProfileTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) INSERT INTO t SELECT i, i FROM n
            """
        )
    }

    private func profiles(_ body: () throws -> Void) rethrows -> [Connection.StatementProfile] {
        var profiles: [Connection.StatementProfile] = []
        let token = connection.addProfileObserver { profiles.append($0) }
        defer { token.cancel() }
        try body()
        return profiles
    }

    @Test func aScanAndASortAreCounted() throws {
        let profiles = try profiles {
            let _: [Int] = try connection.query("SELECT id FROM t WHERE a > ? ORDER BY a DESC", 90)
        }
        let profile = try #require(profiles.first)
        #expect(profiles.count == 1)
        #expect(profile.sql == "SELECT id FROM t WHERE a > ? ORDER BY a DESC")
        #expect(profile.expandedSQL == "SELECT id FROM t WHERE a > 90 ORDER BY a DESC")
        #expect(profile.rows == 10)
        #expect(profile.fullScanSteps == 99)
        #expect(profile.sorts == 1)
        #expect(profile.virtualMachineSteps > 100)
        #expect(profile.duration >= .zero)
    }

    @Test func aLookUpByKeyScansNothing() throws {
        let profile = try #require(try profiles { try connection.run("SELECT a FROM t WHERE id = 50") }.first)
        #expect((profile.rows, profile.fullScanSteps, profile.sorts) == (1, 0, 0))
    }

    @Test func everyRunOfACachedStatementIsCountedFromItsBeginning() throws {
        let profiles = try profiles {
            for _ in 1...3 { let _: [Int] = try connection.query("SELECT a FROM t") }
        }
        #expect(profiles.map(\.rows) == [100, 100, 100])
        #expect(profiles.map(\.fullScanSteps) == [99, 99, 99])
    }

    @Test func aTableJoinedWithoutAnIndexGetsOneForTheRun() throws {
        try connection.execute("CREATE TABLE u(a INTEGER); INSERT INTO u SELECT a FROM t")
        let profile = try #require(
            try profiles { try connection.run("SELECT count(*) FROM u AS x JOIN u AS y ON x.a = y.a") }.first
        )
        #expect(profile.automaticIndexRows == 99)
    }

    @Test func aStatementThatIsLeftEarlyIsReported() throws {
        let profiles = try profiles {
            let first: Int = try connection.query("SELECT id FROM t ORDER BY id")
            #expect(first == 1)
        }
        #expect(profiles.map(\.rows) == [1])
    }
}
