import Squall

/// A version of a program, as `1.10.2`: TEXT. It reads and writes SQLite's value directly, without a `BindingValue` between.
struct ProgramVersion: Binding, Hashable, Comparable, CustomStringConvertible {
    typealias BindingType = String

    /// The version before all others.
    static let first = ProgramVersion(parts: [])

    let parts: [Int]

    private init(parts: [Int]) { self.parts = parts }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard !parts.isEmpty, !parts.contains(nil) else { return nil }
        self.parts = parts.compactMap { $0 }
    }

    var description: String { parts.map { "\($0)" }.joined(separator: ".") }

    static func < (left: ProgramVersion, right: ProgramVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }

    // MARK: In SQL

    /// SQLite orders the text `1.10` before `1.9`. A query that compares versions with `<` throws, and one with `==` does not.
    static var isOrderedInSQL: Bool { false }

    /// Keeps `1.10` a text: a column without a type, or of numbers, would make it the number 1.1.
    static var declaredType: String { "TEXT" }

    var bindingValue: BindingValue { .text(description) }

    func bind(to destination: BindingDestination) throws { try destination.bind(description) }

    static func fromBindingValue(_ value: Any) -> ProgramVersion? { (value as? String).flatMap { ProgramVersion($0) } }

    /// Also reads the numbers that an older program has stored.
    static func fromSQLiteValue(_ value: SQLiteValue) -> ProgramVersion? {
        switch value.dataType {
        case .text: value.text.flatMap { ProgramVersion($0) }
        case .integer: value.integer.flatMap { ProgramVersion("\($0)") }
        case .float: value.real.flatMap { ProgramVersion("\($0)") }
        case .blob, .null: nil
        }
    }

    /// Takes NULL as an argument of a function too: it is the version before all others.
    static func fromArgument(_ value: SQLiteValue) throws(ArgumentError) -> ProgramVersion {
        try ProgramVersion?.fromArgument(value) ?? .first
    }
}
