import Foundation

/// A copy of the package whose sources hold all mutants behind a switch.
struct MutatedCopy {
    /// The package that is tested.
    let root: URL
    /// The folder of the copy.
    let folder: URL

    /// The folders that have mutants: the library, and its annexes, which import it and so have its switch.
    private static let modules = ["Squall", "SquallChanges", "SquallSearch", "SquallStore"]

    var sources: URL { folder.appending(path: "Sources") }
    /// The sources without mutants, as they were when the copy was made.
    private var originals: URL { folder.appending(path: "Originals") }

    /// Returns all mutants of the library.
    static func candidates(in root: URL) throws -> [Mutant] {
        let sources = root.appending(path: "Sources")
        let files = try modules.flatMap { module in
            try files(in: sources.appending(path: module)).map { "\(module)/\($0)" }
        }
        return try files.flatMap { file in
            MutantFinder.mutants(in: try String(contentsOf: sources.appending(path: file), encoding: .utf8), file: file)
        }
    }

    /// Copies the package.
    func make() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["Package.swift", "Sources", "README.md", "Makefile", "CHANGELOG.md"] { try copy(name) }
        try copyTests()
        try? FileManager.default.removeItem(at: originals)
        try FileManager.default.copyItem(at: root.appending(path: "Sources"), to: originals)
    }

    func copyTests() throws { try copy("Tests") }

    private func copy(_ name: String) throws {
        let (from, to) = (root.appending(path: name), folder.appending(path: name))
        try? FileManager.default.removeItem(at: to)
        try FileManager.default.copyItem(at: from, to: to)
    }

    /// Returns a number that changes with the files of a folder of the package.
    static func fingerprint(of name: String, in root: URL) throws -> UInt64 {
        var hash = Hash()
        let folder = root.appending(path: name)
        for file in try files(in: folder) {
            hash.add(file.utf8)
            hash.add(try Data(contentsOf: folder.appending(path: file)))
        }
        return hash.value
    }

    /// Writes the mutants into the copy. The files without one are not touched, so that they are not compiled again.
    ///
    /// - Returns: The lines of each mutant in the written file.
    func write(_ mutants: [Mutant], replacing earlier: [Mutant]) throws -> [Int: ClosedRange<Int>] {
        var lines: [Int: ClosedRange<Int>] = [:]
        let byFile = Dictionary(grouping: mutants, by: \.file)
        for file in Set(mutants.map(\.file)).union(earlier.map(\.file)) {
            let original = Array(try Data(contentsOf: originals.appending(path: file)))
            var written: [UInt8] = []
            var position = 0
            for mutant in (byFile[file] ?? []).sorted(by: { $0.start < $1.start }) {
                written += original[position..<mutant.start]
                let first = Self.lineCount(written)
                written += Array(mutant.replacement.replacing("#", with: "\(mutant.id)").utf8)
                lines[mutant.id] = first...Self.lineCount(written)
                position = mutant.end
            }
            written += original[position...]
            let url = sources.appending(path: file)
            if try Data(contentsOf: url) != Data(written) { try Data(written).write(to: url) }
        }
        let support = Data(Self.switchSource(count: (mutants + earlier).map(\.id).max() ?? 0).utf8)
        let url = sources.appending(path: "Squall/SquallMutant.swift")
        if (try? Data(contentsOf: url)) != support { try support.write(to: url) }
        return lines
    }

    private static func lineCount(_ bytes: [UInt8]) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } + 1 }

    private static func files(in folder: URL) throws -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
    }

    /// The function that tells whether a mutant is switched on, and notes which were reached.
    private static func switchSource(count: Int) -> String {
        """
        #if canImport(Glibc)
            import Glibc
        #else
            import Darwin
        #endif

        private let active: Int = getenv("SQUALL_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

        nonisolated(unsafe) private let reached: UnsafeMutablePointer<Bool>? = {
            guard getenv("SQUALL_MUTANTS_REACHED") != nil else { return nil }
            let table = UnsafeMutablePointer<Bool>.allocate(capacity: \(count + 1))
            table.initialize(repeating: false, count: \(count + 1))
            atexit { writeReached() }
            return table
        }()

        private func writeReached() {
            guard let path = getenv("SQUALL_MUTANTS_REACHED"), let table = reached else { return }
            guard let file = fopen(String(cString: path) + ".\\(getpid())", "w") else { return }
            for id in 1...\(max(1, count)) where table[id] { fputs("\\(id)\\n", file) }
            fclose(file)
        }

        public func squallMutant(_ id: Int) -> Bool {
            if let reached { reached[id] = true }
            return id == active
        }

        """
    }
}
