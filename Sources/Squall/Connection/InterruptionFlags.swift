import SquallSQLite

/// The flags of an ``Interruption`` that every statement reads, and that other threads set.
///
/// Sendable, because the bits are used only by atomic operations. Their memory lives as long as the connection.
struct InterruptionFlags: @unchecked Sendable {
    /// A deadline, a cancellation or a time limit is in force.
    private static let limited: UInt32 = 1
    /// The database was suspended while a closure had the connection.
    private static let suspended: UInt32 = 2

    private let bits: UnsafeMutablePointer<UInt32>

    init() {
        bits = .allocate(capacity: 1)
        bits.initialize(to: 0)
    }

    func deallocate() { bits.deallocate() }

    /// Whether anything can end a statement.
    @inline(__always)
    var isActive: Bool { squall_bits(bits) != 0 }

    func setLimited(_ isLimited: Bool) { set(Self.limited, isLimited) }

    /// Whether statements must not begin because the database is suspended. Set by any thread.
    var isSuspended: Bool {
        get { squall_bits(bits) & Self.suspended != 0 }
        nonmutating set { set(Self.suspended, newValue) }
    }

    private func set(_ mask: UInt32, _ isSet: Bool) {
        if isSet { squall_set_bits(bits, mask) } else { squall_clear_bits(bits, mask) }
    }
}
