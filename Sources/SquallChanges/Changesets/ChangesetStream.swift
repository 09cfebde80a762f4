#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// A changeset that is read in parts, for one that is too large for the memory. It is read once.
///
///     let file = try FileHandle(forReadingFrom: url)
///     try connection.apply(ChangesetStream { try file.read(upToCount: 65_536) })
public final class ChangesetStream {
    private let read: () throws -> Data?
    private var rest = Data()
    private var scanner = ChangesetScanner()
    private var failure: (any Error)?

    /// - Parameter read: Returns the next bytes; `nil`, or none, at the end.
    public init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    /// Calls a closure with one change after the other, without keeping them. The columns have no names.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), if the bytes are not a changeset; the error of either closure.
    public func forEach(_ body: (Changeset.Change) throws -> Void) throws {
        try forEachIterator(isInverted: false) { try body($0.change(naming: [:])) }
    }

    /// Calls a closure with the iterator on one change after the other.
    ///
    /// - Parameter isInverted: Whether the changes are those that take them back.
    func forEachIterator(isInverted: Bool, _ body: (borrowing ChangesetIterator) throws -> Void) throws {
        try Changeset.checkSessions()
        var made: OpaquePointer?
        let flags = isInverted ? SQLITE_CHANGESETSTART_INVERT : 0
        let code = sqlite3changeset_start_v2_strm(&made, Self.input, pointer, flags)
        guard code == SQLITE_OK, let made else { throw failure ?? Changeset.error(code) }
        let iterator = ChangesetIterator(owning: made)
        if let failure { throw failure }
        while try check({ try iterator.next() }) { try body(iterator) }
    }

    /// Writes the changes that take these back, in parts.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for a patchset, and for bytes that are not a changeset; the error of either closure.
    public func invert(to write: @escaping (Data) throws -> Void) throws {
        try Changeset.checkSessions()
        let output = ChangesetOutput(write)
        try output.check {
            let code = sqlite3changeset_invert_strm(Self.input, pointer, ChangesetOutput.output, output.pointer)
            // SQLite reports damaged bytes.
            if scanner.isPatchset { throw SQLiteError(ChangesetProblem.patchsetInverted) }
            try check(code)
        }
    }

    /// Calls a function of SQLite that reads the stream.
    func withInput<Result>(_ body: (SessionInput, UnsafeMutableRawPointer) -> Result) throws -> Result {
        let result = body(Self.input, pointer)
        if let failure { throw failure }
        return result
    }

    /// Reads the whole stream.
    ///
    /// - Parameters:
    ///   - found: Called for each table, before the part with its changes.
    ///   - body: Called with each part.
    /// - Returns: The storage classes of the columns of the tables.
    func forEachPart(
        _ found: (ChangesetHeader) throws -> Void, _ body: (Data) throws -> Void
    ) throws -> [Identifier: [ChangesetScanner.StorageClasses]] {
        while let part = try read(), !part.isEmpty {
            try part.withUnsafeBytes { try scanner.scan($0, found) }
            try body(part)
        }
        try scanner.finish()
        return scanner.storageClasses
    }

    private func check(_ code: Int32) throws {
        if let failure { throw failure }
        try Changeset.check(code)
    }

    private func check<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw failure ?? error }
    }

    private var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static let input: SessionInput = { context, memory, count in
        guard let context, let memory, let count else { return SQLITE_MISUSE }
        return Unmanaged<ChangesetStream>.fromOpaque(context)._withUnsafeGuaranteedRef { stream in
            do {
                count.pointee = Int32(try stream.fill(memory, Int(count.pointee)))
                return SQLITE_OK
            } catch {
                stream.failure = error
                return SQLITE_ABORT
            }
        }
    }

    /// Copies the next bytes.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    private func fill(_ memory: UnsafeMutableRawPointer, _ capacity: Int) throws -> Int {
        if let failure { throw failure }
        if rest.isEmpty {
            rest = try read() ?? Data()
        }
        if rest.isEmpty { try scanner.finish() }
        let part = rest.prefix(capacity)
        rest = rest.dropFirst(capacity)
        try part.withUnsafeBytes { bytes in
            try scanner.scan(bytes) { _ in }
            if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
        }
        return part.count
    }
}

/// SQLite's type of a function that reads a changeset in parts.
typealias SessionInput =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> Int32

/// SQLite's type of a function that writes a changeset in parts.
typealias SessionOutput = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int32) -> Int32

/// Writes a changeset in parts.
final class ChangesetOutput {
    private let write: (Data) throws -> Void
    private var failure: (any Error)?

    init(_ write: @escaping (Data) throws -> Void) {
        self.write = write
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let output: SessionOutput = { context, bytes, count in
        guard let context, let bytes else { return SQLITE_MISUSE }
        return Unmanaged<ChangesetOutput>.fromOpaque(context)._withUnsafeGuaranteedRef { output in
            do {
                try output.write(Data(bytes: bytes, count: Int(count)))
                return SQLITE_OK
            } catch {
                output.failure = error
                return SQLITE_ABORT
            }
        }
    }

    /// Calls a function of SQLite that writes, and throws the error of the closure first.
    func check(_ body: () throws -> Void) throws {
        do { try body() } catch { throw failure ?? error }
    }
}
