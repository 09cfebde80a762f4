import Foundation
import SquallBase

/// A variable of the environment that has a key.
enum KeyVariable: String, CaseIterable {
    case key = "SQUALL_KEY"
    case newKey = "SQUALL_NEW_KEY"

    private static let values = Locked<[KeyVariable: [UInt8]]>([:])

    /// Takes the keys out of the environment, so that no child process has them. It is called once, before the process has threads.
    ///
    /// The bytes are overwritten: the system shows others the memory in which the process was given its environment.
    static func takeAll() {
        for variable in allCases {
            guard let value = getenv(variable.rawValue) else { continue }
            let count = strlen(value)
            let bytes = value.withMemoryRebound(to: UInt8.self, capacity: count) {
                [UInt8](UnsafeBufferPointer(start: $0, count: count))
            }
            values.withLock { $0[variable] = bytes }
            memset(value, 0, count)
            unsetenv(variable.rawValue)
        }
    }

    /// The key; `nil` if the variable was not set.
    var value: [UInt8]? { Self.values.withLock { $0[self] } }
}
