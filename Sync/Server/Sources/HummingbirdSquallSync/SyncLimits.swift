/// What a server accepts of each principal.
public struct SyncLimits: Sendable {
    /// The number of bytes of a batch. A transaction that is larger cannot be sent: the device then waits, with the status 413.
    public var bodyBytes = 16_000_000
    /// The number of requests in a minute. More are answered with the status 429.
    public var requestsPerMinute = 1_200
    /// The number of requests that are answered at once, so that slow clients cannot hold more memory than that of their answers.
    public var requestsAtOnce = 8
    /// The number of open streams of events.
    public var eventStreams = 32
    /// The time after which a stream of events is sent a comment, by which a device notices that it is open. A device takes it for lost after
    /// a minute without a byte.
    public var keepAlive = Duration.seconds(30)
    /// The time that a client has to take 64 KB of an answer. After that, the connection is closed.
    public var patience = Duration.seconds(30)

    public init() {}
}
