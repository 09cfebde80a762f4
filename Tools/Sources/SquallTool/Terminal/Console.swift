import Foundation
@preconcurrency import Rainbow

/// The terminal, or the streams that replace it.
enum Console {
    /// Prepares the process once, before anything is printed.
    static func prepare() {
        // Output is always UTF-8, so character widths must be those of UTF-8, whatever the user's locale is.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "UTF-8") }
        // `squall … | head` ends quietly, even if the parent process ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        // Rainbow lets `FORCE_COLOR` win over `NO_COLOR`, but not over a standard output that is not a terminal.
        let force = ProcessInfo.processInfo.environment["FORCE_COLOR"] ?? ""
        if !["", "0"].contains(force) { Rainbow.outputTarget = .console }
    }

    /// Returns whether a file descriptor is a terminal that moves its cursor.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The number of columns of the terminal behind a file descriptor: COLUMNS, its own size, or 80.
    static func width(of descriptor: Int32) -> Int {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The number of lines of the terminal behind a file descriptor: its own size, or 24.
    static func height(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// Prints a line to standard error. A failure to do so cannot be reported anywhere.
    static func printError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
