import Foundation

/// The files that the process has open.
enum OpenFiles {
    /// Returns the number of open files whose paths begin with a text; `nil` where the system does not tell.
    static func count(prefix: String) -> Int? {
        let folder = "/proc/self/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        return names.count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.hasPrefix(prefix) == true
        }
    }

    /// Waits until no file is open: connections are closed in the background too.
    static func areClosed(prefix: String) -> Bool {
        for attempt in 0..<200 {
            guard let count = count(prefix: prefix), count > 0 else { return true }
            Thread.sleep(forTimeInterval: attempt < 20 ? 0.001 : 0.01)
        }
        return false
    }
}
