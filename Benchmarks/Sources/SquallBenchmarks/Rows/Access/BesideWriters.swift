import SquallSQLite
import Foundation
import GRDB
import Squall

extension Benchmark {
    /// One thread reads while a connection of the C side commits. The values of each side are the same: the accessKeys that are
    /// read are not written.
    ///
    /// - Parameter makeWriter: Returns the writer, which is another thread or another process.
    static func besideWriter(
        _ rate: String, pause: UInt32, _ makeWriter: @escaping @Sendable (String) throws -> any BackgroundWriter
    ) -> Benchmark {
        Benchmark(name: "access-read-beside-\(rate)", toC: 0.40) { fixtures in
            let path = fixtures.freshFile(for: "beside-\(rate)", .c)
            try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
            let databases = try Databases(path)
            let c = try CReader(path)
            let held = try CHeldReader(path)
            let writer = try makeWriter(path)
            func cell(_ read: @escaping @Sendable (Int) throws -> Int) -> Cell {
                Cell(measuring: {
                    try writer.during(pause: pause) {
                        for key in accessKeys { _ = try read(key) }
                    }
                })
            }
            return [
                .c: cell { try c.price($0) },
                .held: Cell(measuring: {
                    defer { try? held.end() }
                    return try writer.during(pause: pause) { for key in accessKeys { _ = try held.price(key) } }
                }),
                .squall: cell { try databases.squall.price($0) },
                .grdb: cell { try databases.grdb.price($0) },
            ]
        }
    }

    /// 4 threads read while one writes until they have ended.
    static let mixedAccess = Benchmark(name: AccessReport.mixed, toC: 1.11) { fixtures in
        let path = fixtures.freshFile(for: AccessReport.mixed, .c)
        try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
        let databases = try Databases(path)
        let c = try (0..<4).map { _ in try CReader(path) }
        let writer = try CWriter(path)
        return [
            .c: Cell(
                {
                    try AccessReport.besideAWriter(
                        "c", read: { try c[$0].price($1) }, write: { try writer.write() })
                }, check: { Checksum($0) }),
            .squall: Cell(
                {
                    try AccessReport.besideAWriter(
                        "squall", read: { try databases.squall.price($1) },
                        write: {
                            try databases.squall.blocking.write {
                                try $0.run("UPDATE cars SET name = ? WHERE id = 1", "a new name")
                            }
                        }
                    )
                }, check: { Checksum($0) }),
            .grdb: Cell(
                {
                    try AccessReport.besideAWriter(
                        "grdb", read: { try databases.grdb.price($1) },
                        write: {
                            try databases.grdb.write {
                                try $0.cachedStatement(sql: "UPDATE cars SET name = ? WHERE id = 1")
                                    .execute(arguments: ["a new name"])
                            }
                        }
                    )
                }, check: { Checksum($0) }),
        ]
    }
}

// MARK: - The writers

/// Commits while something else is measured.
protocol BackgroundWriter: Sendable {
    /// Writes, with a pause in microseconds after each commit, until a closure has returned.
    ///
    /// - Returns: The nanoseconds that the closure took.
    func during(pause: UInt32, _ body: () throws -> Void) throws -> UInt64
}

/// Writes in another process, which runs until its input is closed.
final class ForeignWriter: BackgroundWriter {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func during(pause: UInt32, _ body: () throws -> Void) throws -> UInt64 {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--write", path, "\(pause)"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // The first commit.
        guard output.fileHandleForReading.readData(ofLength: 1).count == 1 else { throw Failure("no writer") }
        let time = try Clock.wall.measure(body)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("the writer has failed") }
        return time
    }

    /// The other process: writes until its input is closed, with a pause in microseconds after each commit.
    static func run(_ path: String, pause: UInt32) throws {
        let writer = try CWriter(path)
        try writer.write()
        FileHandle.standardOutput.write(Data([1]))
        _ = try writer.during(pause: pause) { _ = FileHandle.standardInput.readDataToEndOfFile() }
    }
}

final class CWriter: BackgroundWriter, @unchecked Sendable {
    // Used by one thread.
    private let database: CDatabase
    private let statements: [CStatement]

    init(_ path: String) throws {
        database = try CDatabase(path)
        sqlite3_busy_timeout(database.handle, 5000)
        statements = try ["BEGIN IMMEDIATE", "UPDATE cars SET name = 'a new name' WHERE id = 1", "COMMIT"]
            .map { [database] in try database.prepare($0) }
    }

    func write() throws {
        for statement in statements { try statement.run() }
    }

    /// Writes on another thread.
    func during(pause: UInt32, _ body: () throws -> Void) throws -> UInt64 {
        let stop = Sum()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            while (try? stop.get()) == 0 {
                stop.add(
                    Result {
                        try write()
                        return 0
                    })
                if pause > 0 { usleep(pause) }
            }
            isDone.signal()
        }
        defer {
            stop.add(.success(1))
            isDone.wait()
        }
        return try Clock.wall.measure(body)
    }
}
