/// A place in a file.
public struct SourceLocation: Hashable, Sendable {
    /// The path as it was given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in bytes of UTF-8, from 1, as Swift's compiler counts.
    public let column: Int

    init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    public var description: String { "\(file):\(line):\(column)" }
}

extension SourceLocation: Comparable {
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
