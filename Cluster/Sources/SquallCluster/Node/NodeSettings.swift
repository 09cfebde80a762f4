/// The settings of a node in this process.
public struct NodeSettings: Sendable {
    /// How often a node makes a snapshot of its database, in entries of its log.
    public struct Snapshots: Hashable, Sendable {
        /// The number of entries after which a snapshot is made.
        public var threshold: UInt32
        /// The number of entries that are kept after a snapshot, for nodes that were away for a while.
        public var trailing: UInt32

        public init(threshold: UInt32, trailing: UInt32) {
            self.threshold = threshold
            self.trailing = trailing
        }
    }

    /// The address to listen on; `nil` for the address of the node.
    public var bindAddress: String?
    /// The time in milliseconds that a message takes one way, at most an hour. Elections wait for a multiple of it;
    /// `nil` for libdqlite's default.
    public var networkLatency: UInt32?
    public var snapshots: Snapshots?
    /// A number shared by the nodes that fail together.
    public var failureDomain: UInt64?
    /// The time between two measurements of a ``NodeService``; `nil` for none.
    public var metricsInterval: Duration? = .seconds(10)

    public init() {}
}
