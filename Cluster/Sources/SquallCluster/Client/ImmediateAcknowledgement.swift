import NIOCore

/// Acknowledgements of received bytes without the delay of TCP.
///
/// A node sends each part of rows when the last one was acknowledged (Nagle's algorithm), and Linux delays
/// acknowledgements by 40 ms: a result of 1,000 rows took 44 ms on loopback, without the delay 1 ms (2026-11-25).
enum ImmediateAcknowledgement {
    /// Sends the acknowledgement that is due. Linux resets the option, so this is called after each read.
    static func send(on channel: any Channel) {
        #if os(Linux)
            try? channel.syncOptions?.setOption(option, value: 1)
        #endif
    }

    #if os(Linux)
        /// TCP_QUICKACK.
        private static let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 12))
    #endif
}
