import SquallSQLite
import Foundation
import GRDB
import Squall

// The sides of the rows with many short reads: connections of C, one for each thread, and databases of the two libraries.

/// The keys, in an order that repeats itself in every run.
let accessKeys: [Int] = {
    var state: UInt64 = 7
    return (0..<scaled(20_000)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % 100_000) + 1
    }
}()

let priceOfCar = "SELECT price FROM cars WHERE id = ?"

/// A connection of the C side that keeps its read transaction while the log's index shows no commit, and while the log can
/// be begun again.
final class CHeldReader: @unchecked Sendable {
    // Used by one thread.
    private let reader: CReader
    private let index: UnsafeRawPointer
    private var state = squall_log_state()
    private var isOpen = false

    init(_ path: String) throws {
        reader = try CReader(path)
        _ = try reader.price(1)
        var file: UnsafeMutablePointer<sqlite3_file>?
        var memory: UnsafeMutableRawPointer?
        guard sqlite3_file_control(reader.database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, squall_map_index(file, &memory) == SQLITE_OK, let memory
        else { throw Failure("\(path) has no log") }
        index = UnsafeRawPointer(memory)
    }

    deinit { try? end() }

    @inline(__always)
    func price(_ key: Int) throws -> Int {
        if !isOpen || squall_is_log_state(index, &state) == 0 {
            try end()
            squall_read_log_state(index, &state)
            try reader.begin.run()
            isOpen = state.header.0.frames <= 900 || state.header.0.frames == state.copied_frames
        }
        let price = try reader.select(key)
        if !isOpen { try reader.commit.run() }
        return price
    }

    /// Ends the transaction that is kept.
    func end() throws {
        if isOpen { try reader.commit.run() }
        isOpen = false
    }
}

struct Databases {
    let path: String
    let squall: Squall.Database
    let grdb: DatabasePool

    init(_ path: String, maximumReaders: Int = 4, holdsReads: Bool = true) throws {
        self.path = path
        var recommended = Squall.Configuration.recommended
        recommended.heldReads = holdsReads
        squall = try Squall.Database(path, configuration: recommended, maximumReaders: maximumReaders)
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = maximumReaders
        grdb = try DatabasePool(path: path, configuration: configuration)
    }
}

extension Squall.Database {
    @inline(__always)
    func price(_ key: Int) throws -> Int {
        try blocking.read { try $0.query("SELECT price FROM cars WHERE id = ?", key) }
    }
}

extension DatabasePool {
    func price(_ key: Int) throws -> Int {
        try read { database in
            try Int.fetchOne(database.cachedStatement(sql: priceOfCar), arguments: [key]) ?? 0
        }
    }
}
