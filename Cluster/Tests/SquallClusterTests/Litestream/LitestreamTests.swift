import Foundation
import NodeProcesses
import Squall
import Testing

/// The recipe of `Cluster/Litestream`, with the program that `make litestream-test` installs.
///
/// Before each restore, the directory of the original is moved: a restore reads only the replica.
@Suite(.serialized, .enabled(if: Replica.program != nil), .timeLimit(.minutes(5))) struct LitestreamTests {
    @Test(arguments: 1...5) func aKilledProgramLosesNothing(round: Int) async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await replica.hasReplicated()
        var random = Seeded(seed: TestSeed.of() &+ UInt64(round))
        try await writer.hasWritten(more: random.number(1..<501))
        try await replica.loseProgram(writer, litestream)
        let restored = try await replica.restore()
        expect(restored, has: try writer.acknowledged())
        expect(restored, has: try replica.lostRows())
    }

    @Test(arguments: 1...3) func aLostMachineLosesTheLastSeconds(round: Int) async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await replica.hasReplicated()
        var random = Seeded(seed: TestSeed.of() &+ UInt64(round))
        try await writer.hasWritten(more: random.number(1..<5001))
        let safe = try writer.last()
        try await replica.hasReplicatedAll()
        try await writer.hasWritten(more: random.number(1..<5001))
        for process in [litestream, writer.process] { process.send(SIGKILL) }
        for process in [litestream, writer.process] { _ = try await process.wait() }
        try replica.loseMachine()
        let restored = try await replica.restore()
        print("lost with the machine: \(try writer.milliseconds(after: restored.count)) ms")
        #expect(restored.last?.number ?? 0 >= safe)
        // A prefix of what was written: no row is lost in the middle.
        #expect(try replica.lostRows().starts(with: restored))
        #expect(try writer.acknowledged().starts(with: restored.dropLast()))
    }

    /// A replica that cannot be reached stands for an upload that has not taken place yet.
    @Test func aMachineThatIsLostBeforeTheFirstUploadLosesEverything() async throws {
        let replica = try Replica()
        try replica.blockUploads()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await writer.hasWritten(more: 500)
        try await until { try litestream.failsToUpload() }
        for process in [litestream, writer.process] { try await process.end(SIGKILL) }
        try replica.loseMachine()
        try replica.unblockUploads()
        let (end, errors, path) = try await replica.restoring()
        #expect(end == .status(1))
        #expect(errors.contains("no matching backup files available"))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await replica.verify().end == .status(1))
    }

    @Test func aReplicaThatCannotBeReachedCatchesUp() async throws {
        let replica = try Replica()
        try replica.blockUploads()
        let litestream = try await replica.replicate()
        let writer = try await replica.write()
        try await writer.hasWritten(more: 500)
        try await until { try litestream.failsToUpload() }
        try replica.unblockUploads()
        try await replica.hasReplicated()
        try await replica.loseProgram(writer, litestream)
        let restored = try await replica.restore()
        expect(restored, has: try writer.acknowledged())
        expect(restored, has: try replica.lostRows())
    }

    /// Litestream resets the log several times. It refuses checkpoints of the program.
    @Test func checkpointsAndVacuumLoseNothing() async throws {
        let replica = try Replica()
        let litestream = try await replica.replicate()
        let writer = try await replica.write(["resets"])
        try await replica.hasReplicated()
        let (vacuums, refused) = (try writer.count(of: "vacuum"), try writer.count(of: "checkpoint-busy"))
        for _ in 1...3 { try await replica.hasResetLog() }
        try await until {
            try writer.count(of: "vacuum") >= vacuums + 3 && writer.count(of: "checkpoint-busy") > refused
        }
        try await replica.hasResetLog()
        try await replica.loseProgram(writer, litestream)
        let restored = try await replica.restore()
        expect(restored, has: try rows(of: replica, after: restored))
    }

    /// Litestream does not see what is written while it does not run, and the log is reset meanwhile.
    @Test func aPauseOfLitestreamLosesNothing() async throws {
        let replica = try Replica()
        let first = try await replica.replicate()
        let writer = try await replica.write(["resets"])
        try await replica.hasReplicated()
        try await first.end(SIGKILL)
        try await replica.hasResetLog()
        try await writer.hasWritten(more: 2500)
        let second = try await replica.replicate()
        try await replica.hasReplicated()
        try await replica.loseProgram(writer, second)
        let restored = try await replica.restore()
        expect(restored, has: try rows(of: replica, after: restored))
    }

    @Test func theScriptAcceptsAGoodReplica() async throws {
        let replica = try Replica()
        let count = try await replica.written()
        let (end, printed) = try await replica.verify("SELECT count(*) FROM chain", "\(count)")
        #expect(end == .status(0), "\(printed)")
        #expect(printed.split(separator: "\n").first.flatMap { Int($0) } ?? 0 >= count)
        #expect(try await replica.verify().end == .status(0))
        #expect(try await replica.verify("-- all\nSELECT count(*) FROM chain", "1").end == .status(0))
        // An empty query, of a variable that is not set, must not turn the check off.
        #expect(try await replica.verify("", "1").end == .status(2))
    }

    @Test func theScriptRefusesADamagedFile() async throws {
        let replica = try Replica()
        _ = try await replica.written()
        let newest = replica.files().map(\.transactions.upperBound).max()
        for file in replica.files() where file.transactions.upperBound == newest {
            var data = try Data(contentsOf: file.path)
            data[data.count / 2] ^= 0xff
            try data.write(to: file.path)
        }
        #expect(try await replica.verify().end == .status(1))
    }

    @Test func theScriptRefusesAReplicaWithoutItsFirstFile() async throws {
        let replica = try Replica()
        _ = try await replica.written()
        for file in replica.files() where file.transactions.lowerBound == 1 {
            try FileManager.default.removeItem(at: file.path)
        }
        #expect(try await replica.verify().end == .status(1))
    }

    /// Without its newest files, a replica is that of an older state. Only a query can find this out.
    @Test func theScriptRefusesAStateThatIsTooOld() async throws {
        let replica = try Replica()
        let count = try await replica.written()
        for file in replica.files() where file.transactions != 1...1 {
            try FileManager.default.removeItem(at: file.path)
        }
        #expect(try await replica.verify().end == .status(0))
        #expect(try await replica.verify("SELECT count(*) FROM chain", "\(count)").end == .status(1))
    }

    @Test func theScriptRefusesRowsThatBreakForeignKeys() async throws {
        let replica = try Replica()
        let connection = try Connection(replica.file, configuration: .recommended)
        try connection.execute(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE owners(id INTEGER PRIMARY KEY);
            CREATE TABLE accounts(owner INTEGER REFERENCES owners(id));
            INSERT INTO accounts VALUES(1);
            """)
        #expect(try await replica.replicate(["-once"]).wait() == .status(0))
        let (end, printed) = try await replica.verify()
        #expect(end == .status(1))
        #expect(printed.contains("rows break foreign keys: accounts|1|owners|0"))
    }

    /// Returns the rows of the original. They may have been deleted by a commit in whose middle the program was killed, which
    /// Litestream has copied.
    private func rows(of replica: Replica, after restored: [ChainRow]) throws -> [ChainRow] {
        let rows = try replica.lostRows()
        let first = try #require(restored.first?.number)
        guard first != rows.first?.number, (first + 200).isMultiple(of: 900) else { return rows }
        return rows.filter { $0.number >= first }
    }

    /// Checks that a restore has all rows of a list. One more may follow: the program was killed after COMMIT, and before it
    /// printed the row, or in the middle of COMMIT. Litestream copies such a commit, though others do not see it in the original.
    private func expect(_ restored: [ChainRow], has rows: [ChainRow]) {
        #expect(!rows.isEmpty)
        #expect(restored.starts(with: rows))
        #expect(restored.count - rows.count <= 1)
    }
}

extension ChildProcess {
    /// Returns whether Litestream has reported the file in the place of the replica's directory.
    fileprivate func failsToUpload() throws -> Bool {
        try (printed() + printedErrors()).contains("not a directory")
    }
}

extension Replica {
    /// Writes some rows, ends all processes, and returns the number of the rows.
    fileprivate func written() async throws -> Int {
        let litestream = try await replicate()
        let writer = try await write()
        try await hasReplicated()
        try await writer.hasWritten(more: 500)
        try await loseProgram(writer, litestream)
        return try writer.acknowledged().count
    }
}
