/// Returns the number of types in a pack.
@inlinable
@inline(__always)
package func packCount<each Element>(_ types: repeat (each Element).Type) -> Int {
    var count = 0
    for _ in repeat each types { count += 1 }
    return count
}

/// The offsets of the elements of a tuple. Swift lays out a tuple element by element, each at the next address that its alignment
/// allows.
struct TupleOffsets {
    private(set) var size = 0

    /// Returns the offset of the next element.
    mutating func next<Value>(_ type: Value.Type) -> Int {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (size + alignment - 1) & ~(alignment - 1)
        size = offset + MemoryLayout<Value>.size
        return offset
    }
}
