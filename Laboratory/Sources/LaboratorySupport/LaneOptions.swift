import Foundation

/// The settings of a lane, from its environment: `SHORT=1`, `SEED=n` and `ROWS=name,name`.
public struct LaneOptions: Sendable {
    /// Whether the lane tries some points only, so that it ends within a minute.
    public var isShort: Bool
    /// The seed of everything that is chosen at random. It is printed, so that a run can be repeated. The short form has a fixed one.
    public var seed: UInt64
    /// Parts of the names of the rows to run; empty for all rows.
    public var rows: [String]

    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        isShort = environment["SHORT"] == "1"
        seed = environment["SEED"].flatMap { UInt64($0) } ?? (isShort ? 1 : UInt64.random(in: 1...999_999))
        rows = (environment["ROWS"] ?? "").split(separator: ",").map { String($0) }
    }

    /// Returns whether a row is to be run.
    public func includes(_ row: String) -> Bool {
        rows.isEmpty || rows.contains { row.contains($0) }
    }
}
