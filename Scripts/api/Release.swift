import Foundation

/// The lists of the last release, and what of them is gone on purpose.
struct Release {
    private let folder: URL
    private var released: URL { folder.appendingPathComponent("Released") }
    private var gone: URL { folder.appendingPathComponent("Broken.txt") }

    init(_ folder: String) { self.folder = URL(fileURLWithPath: folder) }

    /// The declarations of the release that the lines do not have, and `Broken.txt` does not name.
    func broken(_ product: String, _ lines: [String]) -> [String] {
        Self.broken(
            released: Comparison.lines(of: released.appendingPathComponent("\(product).txt")), lines,
            named: Comparison.lines(of: gone))
    }

    static func broken(released: [String], _ lines: [String], named: [String]) -> [String] {
        Comparison(Comparison(released, lines).removed, named).removed
    }

    /// Makes the lists those of the release, after which nothing is broken.
    func write() throws {
        let files = FileManager.default
        try? files.removeItem(at: released)
        try files.createDirectory(at: released, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".txt") && name != gone.lastPathComponent {
            try files.copyItem(at: folder.appendingPathComponent(name), to: released.appendingPathComponent(name))
        }
        try Data().write(to: gone)
    }
}
