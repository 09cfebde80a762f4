import Foundation

/// Prints a line at once, also where the output is a pipe.
public func writeLine(_ line: String) {
    print(line)
    fflush(nil)
}
