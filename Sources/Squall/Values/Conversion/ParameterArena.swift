import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The memory of a statement for the bytes of its parameters.
///
/// SQLite would allocate and free a copy of each value, which takes a third of a mixed insert (measured). The arena
/// copies values one after another into memory that is reused for the next values. The memory is bound as
/// `SQLITE_STATIC`, and stays valid until the statement is bound again or finalised.
@usableFromInline
struct ParameterArena {
    /// The size limit of copied values, in bytes, so that a statement does not keep much memory.
    static let largestValue = 4096

    private var chunk = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    /// Chunks that became too small while their values are still bound.
    private var outgrown: [UnsafeMutableRawBufferPointer] = []
    /// Large values that are bound without a copy: a megabyte is written in 0.7× the time that it takes with a copy.
    private var kept: [Data] = []
    /// Whether SQLite holds a copy of a value that was too large for the arena.
    private var hasLargeCopies = false
    /// Whether large values may be bound without a copy, which is allowed only in a statement that is run and cleared
    /// in one call. A `Data` may wrap memory whose owner keeps it alive only for this call.
    var keepsLargeValues: Bool

    init(keepsLargeValues: Bool) {
        self.keepsLargeValues = keepsLargeValues
    }

    /// The size of the largest chunk that is kept for reuse, in bytes.
    private static let largestChunk = 65_536

    /// Whether `reset` frees memory, which must then no longer be bound.
    var freesMemory: Bool { !kept.isEmpty || !outgrown.isEmpty || chunk.count > Self.largestChunk }

    /// Whether values that are not needed any more take more memory than the arena itself.
    var holdsLargeValues: Bool { hasLargeCopies || freesMemory }

    /// Copies at most `largestValue` bytes.
    @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let source = bytes.baseAddress, let copy = reserve(bytes.count) else { return nil }
        copy.copyMemory(from: source, byteCount: bytes.count)
        return UnsafeRawPointer(copy)
    }

    /// Returns memory for a value of at most `largestValue` bytes.
    @inline(__always)
    mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer? {
        if count > chunk.count - used { grow(by: count) }
        defer { used += count }
        return chunk.baseAddress.map { $0 + used }
    }

    @inline(never)
    private mutating func grow(by count: Int) {
        if chunk.count > 0 { outgrown.append(chunk) }
        chunk = .allocate(byteCount: max(256, 2 * (chunk.count + count)), alignment: 1)
        used = 0
    }

    mutating func keep(_ value: Data) {
        kept.append(value)
    }

    /// Notes that SQLite copies a value.
    mutating func noteCopy(ofSize count: Int) {
        if count > Self.largestValue { hasLargeCopies = true }
    }

    /// Starts again from the beginning. Values bound before must not be read any more.
    @inline(__always)
    mutating func reset() {
        used = 0
        if holdsLargeValues { free() }
    }

    @inline(never)
    private mutating func free() {
        hasLargeCopies = false
        kept = []
        for chunk in outgrown { chunk.deallocate() }
        outgrown = []
        if chunk.count > Self.largestChunk {
            chunk.deallocate()
            chunk = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
    }

    mutating func deallocate() {
        reset()
        chunk.deallocate()
    }
}
