import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A statement's own memory for the bytes of its parameters.
///
/// SQLite would allocate and free a copy of each value: a third of a mixed insert (measured). Here they are copied one behind
/// the other into memory that is used again for the next values. It is bound as `SQLITE_STATIC`, and holds until the statement
/// is bound again or finalised.
@usableFromInline
struct ParameterArena {
    /// Larger values are not copied here, so that no statement holds on to much memory.
    static let largestValue = 4096

    private var chunk = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    /// Chunks that were too small, whose values are bound still.
    private var outgrown: [UnsafeMutableRawBufferPointer] = []
    /// Large values, bound where they are: a megabyte is written in 0.7 of the time that it takes with a copy.
    private var kept: [Data] = []
    /// Whether large values may be bound where they are: in a statement that is run and cleared in one call. (The memory of
    /// a `Data` may be somebody else's, who keeps it for as long as the call lasts.)
    let keepsLargeValues: Bool

    init(keepsLargeValues: Bool) {
        self.keepsLargeValues = keepsLargeValues
    }

    /// More is not held on to.
    private static let largestChunk = 65_536

    /// Whether `reset` frees memory, which then must not be bound any more.
    var freesMemory: Bool { !kept.isEmpty || !outgrown.isEmpty || chunk.count > Self.largestChunk }

    /// Copies bytes, which are at most `largestValue`.
    @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        if bytes.count > chunk.count - used { grow(by: bytes.count) }
        guard let start = chunk.baseAddress, let source = bytes.baseAddress else { return nil }
        let copy = start + used
        copy.copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
        return UnsafeRawPointer(copy)
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

    /// Begins anew: what was bound must not be read again.
    @inline(__always)
    mutating func reset() {
        used = 0
        if freesMemory { free() }
    }

    @inline(never)
    private mutating func free() {
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
