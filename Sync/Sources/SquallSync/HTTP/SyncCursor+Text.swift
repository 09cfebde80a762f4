import Foundation
import SquallChanges

extension SyncCursor {
    /// The position as text, for a transport: the log, whose bytes other than ASCII letters, digits, `-`, `.`, `_` and `~` are
    /// percent-encoded, a colon, and the number of the entry.
    public var text: String { "\(log.percentEncoded):\(sequence)" }

    /// Reads a position, or returns `nil` for another text.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let log = String(parts[0]).removingPercentEncoding, !log.isEmpty,
            log.percentEncoded.lowercased() == parts[0].lowercased(), let sequence = Int64(parts[1]), sequence >= 0,
            "\(sequence)" == parts[1]
        else { return nil }
        self.init(log: log, sequence: sequence)
    }
}

extension String {
    /// The text with all but ASCII letters, digits, `-`, `.`, `_` and `~` percent-encoded.
    var percentEncoded: String {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters + "0123456789-._~"))
            ?? ""
    }
}
