import Foundation

@testable import Squall

// The values of the standard types in the matrix of paths: usual ones, and those that a column of another type converts.

extension String: FormValue {
    static var samples: [String] { ["Mort", "", "\"Mort\"", "5", "5.0", " 5", "1e3", "é", "x'41'"] }
    var mirror: String { String(map { $0 == "M" ? "T" : $0 == "T" ? "M" : $0 }.reversed()) }
}

extension FormValue where Self: FixedWidthInteger {
    static var samples: [Self] { [0, 1, 7, .max] + (isSigned ? [.min] : []) }
    var mirror: Self { ~self }
}

extension Int: FormValue {}
extension Int8: FormValue {}
extension Int16: FormValue {}
extension Int32: FormValue {}
extension Int64: FormValue {}
extension UInt: FormValue {}
extension UInt8: FormValue {}
extension UInt16: FormValue {}
extension UInt32: FormValue {}
extension UInt64: FormValue {}

extension FormValue where Self: BinaryFloatingPoint {
    static var samples: [Self] { [1, 2.5, -1024, 0.1, 0] }
    var mirror: Self { -self }
}

extension Double: FormValue { static var refused: [Double] { [.nan] } }
extension Float: FormValue { static var refused: [Float] { [.nan] } }

extension Bool: FormValue {
    static var samples: [Bool] { [false, true] }
    var mirror: Bool { !self }
}

extension Data: FormValue {
    static var samples: [Data] { [Data([1, 2]), Data([0]), Data("{}".utf8), Data("5".utf8), Data()] }
    var mirror: Data { Data(map { ~$0 }) }
}

extension Array: FormValue where Element: BlobElement & BlobSample & Hashable & Codable {
    static var samples: [[Element]] { [[1, 2], [0], []] }
    var mirror: [Element] { map(\.mirrored) }
}

/// An element of an array that is a BLOB.
protocol BlobSample: ExpressibleByIntegerLiteral {
    var mirrored: Self { get }
}

extension UInt8: BlobSample {
    var mirrored: UInt8 { ~self }
}

extension Float: BlobSample {
    var mirrored: Float { 1 - self }
}

extension Date: FormValue {
    static var samples: [Date] { [0, 86_400.5, 1e9, -1e9].map { Date(timeIntervalSinceReferenceDate: $0) } }
    /// Of the year 10000, and no time at all.
    static var refused: [Date] { [253_402_300_800, .nan].map { Date(timeIntervalSince1970: $0) } }
    var mirror: Date { Date(timeIntervalSinceReferenceDate: -timeIntervalSinceReferenceDate) }
}

extension UUID: FormValue {
    static var samples: [UUID] {
        (1...3).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, $0)) }
    }
    var mirror: UUID {
        var bytes = uuid
        withUnsafeMutableBytes(of: &bytes) { for index in $0.indices { $0[index] = ~$0[index] } }
        return UUID(uuid: bytes)
    }
}

extension Decimal: FormValue {
    static var samples: [Decimal] { [1, 25, -1024, Decimal(string: "1.5") ?? 0, Decimal(string: "0.1") ?? 0] }
    static var refused: [Decimal] { [.nan] }
    var mirror: Decimal { -self }
}

extension URL: FormValue {
    static var samples: [URL] { ["https://example.org/a?b=1", "file:///tmp/a", "5"].compactMap { URL(string: $0) } }
    var mirror: URL { URL(string: absoluteString == "5" ? "6" : absoluteString == "6" ? "5" : absoluteString) ?? self }
}

extension UnixTime: FormValue {
    static var samples: [UnixTime] { Date.samples.map { UnixTime($0) } }
    static var refused: [UnixTime] { [UnixTime(Date(timeIntervalSince1970: .nan))] }
    var mirror: UnixTime { UnixTime(date.mirror) }
}

extension UnixMilliseconds: FormValue {
    static var samples: [UnixMilliseconds] { Date.samples.map { UnixMilliseconds($0) } }
    static var refused: [UnixMilliseconds] { [UnixMilliseconds(Date(timeIntervalSince1970: .nan))] }
    var mirror: UnixMilliseconds { UnixMilliseconds(date.mirror) }
}

extension JulianDay: FormValue {
    static var samples: [JulianDay] { Date.samples.map { JulianDay($0) } }
    static var refused: [JulianDay] { [JulianDay(Date(timeIntervalSince1970: .nan))] }
    var mirror: JulianDay { JulianDay(date.mirror) }
}

extension JSONBinding: FormValue where Value == [Int] {
    static var samples: [JSONBinding] { [[], [1], [1, 2]].map { JSONBinding($0) } }
    var mirror: JSONBinding { JSONBinding(value.map { -$0 }) }
}

extension ArrayBinding: Hashable, FormValue where T == Int {
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
    static var samples: [ArrayBinding] { [[], [1], [1, 2]].map { ArrayBinding(elements: $0) } }
    var mirror: ArrayBinding { ArrayBinding(elements: elements.map { -$0 }) }
}

extension SetBinding: Hashable, FormValue where T == Int {
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
    static var samples: [SetBinding] { [[], [1]].map { SetBinding(elements: $0) } }
    var mirror: SetBinding { SetBinding(elements: Set(elements.map { -$0 })) }
}

extension BindingValue: FormValue {
    static var samples: [BindingValue] {
        [.integer(7), .real(1.5), .real(3), .text("a"), .text("5"), .blob(Data([1])), .malformedText(Data([0xff]))]
    }
    var mirror: BindingValue {
        switch self {
        case .null: self
        case .integer(let number): .integer(-number)
        case .real(let number): .real(-number)
        case .text(let text): .text(text.mirror)
        case .blob(let bytes): .blob(bytes.mirror)
        case .malformedText(let bytes): .malformedText(bytes)
        }
    }
}
