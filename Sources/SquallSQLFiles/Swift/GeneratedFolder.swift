import Foundation

/// A folder with generated files.
public struct GeneratedFolder: Sendable {
    /// A difference between the files of the folder and those that would be written.
    public enum Difference: Hashable, Sendable {
        case missing(path: String)
        case changed(path: String)
        /// A generated file that is not among those that would be written.
        case stale(path: String)
    }

    /// An error for a file that was not generated, and is therefore not replaced.
    public struct ForeignFileError: Error, Hashable, Sendable {
        public let path: String
    }

    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// Writes the files whose text differs, so that build systems compile no others.
    ///
    /// - Throws: ``ForeignFileError``, before anything is written; the error of a file that cannot be written.
    public func write(_ files: [GeneratedFile]) throws {
        let changed = files.filter { text(of: $0.name) != Data($0.text.utf8) }
        let mark = Data(GeneratedFile.mark.utf8)
        for file in changed {
            if let old = text(of: file.name), !old.isEmpty, !old.starts(with: mark) {
                throw ForeignFileError(path: path(of: file.name))
            }
        }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for file in changed {
            try Data(file.text.utf8).write(to: URL(fileURLWithPath: path(of: file.name)), options: .atomic)
        }
    }

    /// Returns the differences between the folder and the files, without writing. Another version of SQLite is not a difference.
    public func differences(from files: [GeneratedFile]) -> [Difference] {
        let differences = files.compactMap { file -> Difference? in
            guard let old = text(of: file.name) else { return .missing(path: path(of: file.name)) }
            let isCurrent = Self.comparable(String(decoding: old, as: UTF8.self)) == Self.comparable(file.text)
            return isCurrent ? nil : .changed(path: path(of: file.name))
        }
        let expected = Set(files.map(\.name))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let mark = Data(GeneratedFile.mark.utf8)
        let stale = names.sorted().filter { name in
            name.hasSuffix(".swift") && !expected.contains(name) && text(of: name)?.starts(with: mark) == true
        }
        return differences + stale.map { .stale(path: path(of: $0)) }
    }

    /// The lines without the version of SQLite, which is another one on another machine.
    private static func comparable(_ text: String) -> [[UInt8]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("sqliteVersion: ") }.map {
            Array($0.utf8)
        }
    }

    private func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    private func text(of name: String) -> Data? { try? Data(contentsOf: URL(fileURLWithPath: path(of: name))) }
}

extension GeneratedFolder.Difference: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path): "'\(path)' is missing"
        case .changed(let path): "'\(path)' is not current"
        case .stale(let path): "'\(path)' has no SQL file any more"
        }
    }
}

extension GeneratedFolder.ForeignFileError: CustomStringConvertible, LocalizedError {
    public var description: String { "'\(path)' was not written by squall-sql: delete it, or choose another folder" }

    public var errorDescription: String? { description }
}
