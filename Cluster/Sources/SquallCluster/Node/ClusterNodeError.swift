/// An error of libdqlite about a node in this process.
public struct ClusterNodeError: Error, Hashable, Sendable {
    /// The step that failed.
    public enum Operation: String, Hashable, Sendable {
        case create, configure, bind, start, stop, recover
    }

    public let operation: Operation
    /// The code of libdqlite: 1 for an error, 2 for misuse, 3 for no memory.
    public let code: Int32
    public let message: String

    public init(operation: Operation, code: Int32, message: String) {
        self.operation = operation
        self.code = code
        self.message = message
    }
}

extension ClusterNodeError: CustomStringConvertible {
    public var description: String { "cannot \(operation.rawValue) the node: \(message) (\(code))" }
}
