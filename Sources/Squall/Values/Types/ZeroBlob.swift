#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A BLOB of zeros, which reserves the bytes of a value that is then written in parts.
///
///     let id = try connection.insert(
///         into: "files", ["name": name, "body": ZeroBlob(count: size)])
///     try connection.withBlob(in: "files", column: "body", row: id, mode: .readWrite) {
///         try $0.write(bytes, at: 0)
///     }
///
/// As a parameter and interpolated it takes no memory of its size. SQLite keeps none for it in the last column of a table, and makes
/// the whole row in memory for a column before others that are not zeros. At most 10⁹ bytes fit, unless SQLite was built otherwise.
public struct ZeroBlob: Hashable, Sendable, Bindable {
    /// The number of bytes.
    public let count: Int

    public init(count: Int) {
        self.count = count
    }

    public var bindingValue: BindingValue { .blob(Data(count: max(count, 0))) }

    public func checkedBindingValue() throws -> BindingValue {
        if count < 0 { throw negativeCountError }
        return bindingValue
    }

    public func bind(to destination: BindingDestination) throws {
        guard let count = UInt64(exactly: count) else { throw negativeCountError }
        try destination.bind(zeros: count)
    }

    var negativeCountError: SQLiteError {
        SQLiteError(.unstorable(type: "ZeroBlob", reason: .negativeCount), code: .mismatch)
    }
}
