/// The bytes of an input, from which a target takes its decisions and its values.
///
/// Each call takes bytes from the front. At the end it returns zeros, so that every input is complete.
public struct FuzzInput {
    /// All bytes, also those that have been taken.
    public let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var isAtEnd: Bool { position >= bytes.count }

    public mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        position += 1
        return bytes[position - 1]
    }

    /// Returns a number from 0 to `limit - 1`, which takes one byte if `limit` is at most 256, otherwise two.
    public mutating func number(below limit: Int) -> Int {
        let value = limit <= 256 ? Int(byte()) : Int(byte()) << 8 | Int(byte())
        return limit < 1 ? 0 : value % limit
    }

    /// Returns `true` for about `percent` of all bytes, and `false` at the end.
    public mutating func chance(_ percent: Int) -> Bool {
        !isAtEnd && Int(byte()) * 100 < percent * 256
    }

    /// Returns one of the elements.
    public mutating func pick<T>(_ first: T, _ others: T...) -> T {
        let index = number(below: others.count + 1)
        return index == 0 ? first : others[index - 1]
    }

    public mutating func integer() -> Int64 {
        (0..<8).reduce(0) { value, _ in value << 8 | Int64(byte()) }
    }

    /// Returns at most `count` bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, position + max(0, count))
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Returns the bytes that have not been taken.
    public mutating func rest() -> [UInt8] {
        bytes(bytes.count)
    }

    /// Returns bytes whose number is taken from the input as well.
    public mutating func shortBytes(upTo limit: Int = 24) -> [UInt8] {
        bytes(number(below: limit + 1))
    }

    /// Returns a text of at most `limit` bytes. Bytes that are not UTF-8 are replaced.
    public mutating func text(upTo limit: Int = 24) -> String {
        String(decoding: shortBytes(upTo: limit), as: UTF8.self)
    }
}
