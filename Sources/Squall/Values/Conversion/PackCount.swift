/// Returns the number of types in a pack.
@inlinable
@inline(__always)
package func packCount<each Element>(_ types: repeat (each Element).Type) -> Int {
    var count = 0
    for _ in repeat each types { count += 1 }
    return count
}
