import Foundation

/// What a side has read or written, in one number: the three sides of a row have to come to the same one.
struct Checksum: Equatable, CustomStringConvertible {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    var description: String { String(value, radix: 16) }

    mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x0000_0100_0000_01b3
        value ^= value >> 29
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ number: Double) { add(number.bitPattern) }

    mutating func add(_ text: String) { add(text.utf8) }

    mutating func add(_ text: String?) {
        if let text { add(text.utf8) } else { add(-1) }
    }

    mutating func add(_ bytes: some Collection<UInt8>) {
        add(bytes.count)
        for byte in bytes { add(UInt64(byte)) }
    }
}

/// What can be added to a checksum.
protocol Summable {
    func add(to sum: inout Checksum)
}

extension Int: Summable {
    func add(to sum: inout Checksum) { sum.add(self) }
}

extension Double: Summable {
    func add(to sum: inout Checksum) { sum.add(self) }
}

extension String: Summable {
    func add(to sum: inout Checksum) { sum.add(self) }
}

extension Date: Summable {
    func add(to sum: inout Checksum) { sum.add(timeIntervalSinceReferenceDate) }
}

extension Checksum {
    init(_ values: some Sequence<some Summable>) {
        for value in values { value.add(to: &self) }
    }

    init(_ value: some Summable) {
        value.add(to: &self)
    }
}
