#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The signal SIGPIPE of this process.
enum BrokenPipeSignal {
    /// Lets the process ignore the signal, unless it has a handler.
    ///
    /// A node writes to connections whose other end may be gone. By default the signal of such a write ends the process:
    /// two nodes of three were gone when the leader was killed.
    static func ignore() {
        var action = sigaction()
        guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        if handler == nil { _ = signal(SIGPIPE, SIG_IGN) }
    }
}
