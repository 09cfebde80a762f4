import Foundation

/// The texts that were typed, kept in a file that only its owner can read.
struct History {
    /// The number of texts that are kept.
    private static let capacity = 1000
    private let path: String?
    private(set) var entries: [String] = []

    /// - Parameter path: The file; `nil` to keep the texts for this session alone.
    init(path: String?) {
        self.path = path
        guard let path, let data = FileManager.default.contents(atPath: path) else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        entries = lines.suffix(Self.capacity).map { Self.unescaped($0) }
        if lines.count > 2 * Self.capacity { rewrite() }
    }

    /// The file of the environment: `~/.squall_history`, or `SQUALL_HISTORY`; `nil` if that is empty.
    static var path: String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["SQUALL_HISTORY"] { return path.isEmpty ? nil : path }
        return environment["HOME"].map { "\($0)/.squall_history" }
    }

    /// Adds a text, unless it is blank or the last one again. A file that cannot be written to is ignored.
    mutating func add(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text != entries.last else { return }
        entries.append(text)
        guard let path else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array((Self.escaped(text) + "\n").utf8)
        _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }

    /// Removes old texts from the file.
    private func rewrite() {
        guard let path else { return }
        let lines = entries.map { Self.escaped($0) + "\n" }.joined()
        let temporary = path + ".new"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: temporary, contents: Data(lines.utf8), attributes: attributes)
        else {
            return
        }
        rename(temporary, path)
    }

    /// A text of several lines is one line of the file.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func unescaped(_ line: Substring) -> String {
        var text = ""
        var isEscaped = false
        for character in line {
            if isEscaped {
                text += character == "n" ? "\n" : String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
