import Dispatch
import SquallSQLite

// `open` has a variable number of arguments: Swift has it only from the module of the C library.
#if canImport(Darwin)
    import Darwin
#endif

/// Events of the system for writes to a file or its write-ahead log. They only make ``FileMonitor`` look earlier: a write to shared memory
/// causes none.
final class FileEvents: Sendable {
    private let path: String
    private let descriptor: Int32
    // A dispatch source may be used by several threads.
    private let source: UncheckedSendable<any DispatchSourceProtocol>
    private let isWaiting = Locked(false)
    /// Called once after each ``wait(_:)``, when there is an event.
    let handler = Locked<@Sendable () -> Void>({})

    #if os(Linux)
        init?(of path: String, _ queue: DispatchQueue) {
            let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            self.path = path
            self.descriptor = descriptor
            source = UncheckedSendable(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue))
            setHandlers()
        }

        /// Watches again: the log may have been made again. Watching a file twice does nothing.
        private func watch() {
            for file in [path, path + "-wal"] { inotify_add_watch(descriptor, file, UInt32(IN_MODIFY)) }
        }

        private func takeEvents() {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &bytes, bytes.count) > 0 {}
        }
    #else
        init?(of path: String, _ queue: DispatchQueue) {
            // Only the log: closing another descriptor of the file itself would release SQLite's locks on it.
            let descriptor = open(path + "-wal", O_EVTONLY)
            guard descriptor >= 0 else { return nil }
            self.path = path
            self.descriptor = descriptor
            source = UncheckedSendable(
                DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue))
            setHandlers()
        }

        private func watch() {}

        private func takeEvents() {}
    #endif

    private func setHandlers() {
        source.value.setEventHandler { [weak self] in
            guard let self else { return }
            takeEvents()
            wait(false)
            handler.withLock { $0 }()
        }
        source.value.setCancelHandler { [descriptor] in close(descriptor) }
    }

    /// Begins or stops to wait for an event.
    func wait(_ waits: Bool) {
        let source = source.value
        isWaiting.withLock { isWaiting in
            guard waits != isWaiting, !source.isCancelled else { return }
            isWaiting = waits
            if waits {
                watch()
                takeEvents()
                source.resume()
            } else {
                source.suspend()
            }
        }
    }

    func stop() {
        source.value.cancel()
        // A suspended source must be resumed before it is released.
        isWaiting.withLock { if !$0 { source.value.resume() } }
    }
}
