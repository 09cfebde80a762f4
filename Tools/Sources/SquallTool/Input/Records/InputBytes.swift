import Foundation

/// The bytes of an input file, of which one record at a time is whole in memory.
///
/// A reader works on `record`, the memory from the beginning of its record on. If the record continues behind that memory,
/// `readMore()` moves the record to the front of the buffer and appends to it. Offsets inside the record stay valid.
final class InputBytes {
    /// The longest record, in bytes: SQLite's default limit for a row.
    private static let longestRecord = 1_000_000_000

    let file: SourceFile
    private var buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// The number of bytes of the file before the record.
    private(set) var position = 0

    init(_ file: SourceFile) throws {
        self.file = file
        buffer = .allocate(byteCount: 1 << 18, alignment: 1)
        try file.rewind()
    }

    deinit {
        buffer.deallocate()
    }

    /// The memory from the beginning of the record on. It is valid until `readMore()` is called, whatever that returns.
    var record: UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(rebasing: buffer[start..<end]).assumingMemoryBound(to: UInt8.self)
    }

    /// Ends the record after some of its bytes. The next record begins there.
    func endRecord(after count: Int) {
        start += count
        position += count
    }

    /// Appends bytes of the file to the record.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: ``Failure`` if reading fails, or the record is too long.
    func readMore() throws -> Bool {
        let count = end - start
        if count == buffer.count {
            try grow()
        } else if start > 0 {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
        }
        (start, end) = (0, count)
        let added = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
        end += added
        return added > 0
    }

    private func grow() throws {
        guard buffer.count < Self.longestRecord else {
            throw Failure(
                "\(file.name): a record is longer than \(Self.longestRecord) bytes", exitCode: .badInput,
                hint: "a quote may be missing"
            )
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
    }
}
