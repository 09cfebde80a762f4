import Foundation
import Squall
import Testing

/// The program ServiceProcess, ended by signals.
struct SignalTests {
    private let file: TestFile

    init() throws {
        file = try TestFile()
    }

    private func expectSoundFile() throws {
        #expect(try file.files == ["app.db"])
        #expect(try file.query("PRAGMA integrity_check") as [String] == ["ok"])
    }

    /// Sixteen tasks write while the process is ended, round after round, in the same file.
    @Test func noAcknowledgedRowIsLost() throws {
        let given = ProcessInfo.processInfo.environment["SQUALL_SEED"]
        let seed = given == "random" ? UInt64.random(in: 0...UInt64.max) : given.flatMap { UInt64($0) } ?? 1
        print("Seed \(seed) of SignalTests.noAcknowledgedRowIsLost")
        var generator = SeededGenerator(state: seed)
        var acknowledged: Set<String> = []
        for round in 0..<8 {
            let process = try TestProcess(["load", file.path, "\(round)"])
            process.waitForLines(Int.random(in: 3...400, using: &generator))
            process.send(SIGTERM)
            let (lines, code) = try process.end()
            #expect(code == 0, "seed \(seed), round \(round): \(lines.last ?? "")")
            let identifiers = lines.filter { $0.hasPrefix("\(round)-") }
            #expect(!identifiers.isEmpty)
            acknowledged.formUnion(identifiers)
            try expectSoundFile()
            let rows: Set<String> = Set(try file.query("SELECT id FROM acknowledged"))
            #expect(acknowledged.subtracting(rows).isEmpty, "seed \(seed), round \(round)")
        }
    }

    @Test func furtherSignalsDoNotEndTheShutdown() throws {
        let process = try TestProcess(["load", file.path, "0"])
        process.waitForLines(20)
        for _ in 0..<3 { process.send(SIGTERM) }
        let (lines, code) = try process.end()
        #expect(code == 0)
        try expectSoundFile()
        let rows: Set<String> = Set(try file.query("SELECT id FROM acknowledged"))
        #expect(Set(lines.filter { $0.hasPrefix("0-") }).subtracting(rows) == [])
    }

    @Test func aSignalEndsAMigrationAndTheNextStartContinues() throws {
        let first = try TestProcess(["migrate", file.path])
        first.waitForLines(1)
        first.send(SIGTERM)
        #expect(try first.end() == (["version 2"], 0))
        try expectSoundFile()
        #expect(
            try file.query("SELECT name FROM sqlite_schema WHERE name IN ('acknowledged', 'numbers')") as [String]
                == ["acknowledged"])

        let second = try TestProcess(["load", file.path, "1"])
        second.waitForLines(10)
        second.send(SIGTERM)
        let (lines, code) = try second.end()
        #expect(code == 0)
        #expect(Array(lines.prefix(2)) == ["version 2", "version 3"])
        try expectSoundFile()
        #expect(try file.query("SELECT count(*) FROM numbers") as [Int] == [10])
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
