import Foundation
import Squall
import SquallEncryption

/// A run of the tests in which all database files are encrypted: `SQUALL_ENCRYPTED=1`, on an SQLite with a cipher.
///
/// Each file that a test opens without a key gets the same raw key, also in the processes that tests start. Databases in memory get none,
/// nor do the files of the tests that are listed as `PlainFiles`.
package enum EncryptedRun {
    package static let isOn = ProcessInfo.processInfo.environment["SQUALL_ENCRYPTED"] == "1"

    /// The begin of the name of a folder whose files are not encrypted.
    package static let plainPrefix = "squall-plain-"

    fileprivate static let key = AnyFileKey(Encryption.rawKey([UInt8](repeating: 49, count: 32)))

    fileprivate static func isEncrypted(_ path: String) -> Bool {
        if path.isEmpty || path.contains(":memory:") || path.contains(plainPrefix) { return false }
        return !(path.hasPrefix("file:") && path.contains("mode=memory"))
    }
}

/// Begins the run, before `main`.
@_cdecl("squall_start_encrypted_run")
package func startEncryptedRun() {
    guard EncryptedRun.isOn else { return }
    AnyFileKey.ofTests.withLock { $0 = { EncryptedRun.isEncrypted($0) ? EncryptedRun.key : nil } }
}
