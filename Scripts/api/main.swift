// Writes the public declarations of products into files, compares them with the files, or looks for declarations that neither a
// guide nor an example uses: `make api` and `make api-check`.
//
//     api write|check FOLDER GRAPHS PRODUCT…
//     api names GRAPHS PRODUCT… < SWIFT
//     api release FOLDER
//
// FOLDER has a list for each product; its folder `Released` has those of the last release. A declaration of the release that is gone must
// be a line of `FOLDER/Broken.txt`. `release` makes the lists those of a release.
// GRAPHS is a folder with the symbol graphs of each product, in a folder of its name.

import Foundation

/// Prints a sentence to the standard error, and ends the process.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

func publicFace(of product: String, in graphs: String) throws -> PublicFace {
    let folder = URL(fileURLWithPath: "\(graphs)/\(product)")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
    if files.isEmpty { throw CocoaError(.fileReadNoSuchFile) }
    return PublicFace(try files.map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) })
}

/// Writes or checks the list of a product. Returns `false` if it differs from the file, or is longer than its budget.
func list(_ product: String, in folder: String, of graphs: String, write: Bool) throws -> Bool {
    let path = "\(folder)/\(product).txt"
    let face = try publicFace(of: product, in: graphs)
    let lines = face.declarations.map(\.line)
    let old = Comparison.lines(of: URL(fileURLWithPath: path))
    if write { try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8) }
    print("\(path): \(face.count) public declarations")
    let excesses = Budget.of(product)?.excesses(of: face) ?? []
    for excess in excesses { print("\(path): \(excess)") }
    let broken = Release(folder).broken(product, lines)
    for line in broken { print("\(path): the release has, and Broken.txt does not name: \(line)") }
    if write || old == lines { return excesses.isEmpty && broken.isEmpty }
    let comparison = Comparison(old, lines)
    print("\(path): \(comparison.removed.count) removed, \(comparison.added.count) added")
    print(comparison.description)
    return false
}

/// Prints the names that the text does not use. Returns `false` if there are any.
func namesAreUsed(in text: CompiledText, of product: String, graphs: String) throws -> Bool {
    let unused = try publicFace(of: product, in: graphs).unusedNames(in: text)
    if !unused.isEmpty { print("\(product): neither a guide nor an example uses \(unused.joined(separator: ", "))") }
    return unused.isEmpty
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "test": test()
    case "write", "check":
        guard arguments.count > 3 else { fail("usage: api write|check FOLDER GRAPHS PRODUCT…") }
        let isEqual = try arguments[3...].map {
            try list($0, in: arguments[1], of: arguments[2], write: arguments[0] == "write")
        }
        if isEqual.contains(false) {
            fail(
                """
                The public declarations differ from the files in \(arguments[1]), break the release, or are more than their budget. If \
                a difference is intended, write the files by `make api` or `make api-integrations`, add what is gone to Broken.txt, and \
                commit them with a line in CHANGELOG.md.
                """)
        }
    case "names":
        guard arguments.count > 2 else { fail("usage: api names GRAPHS PRODUCT… < SWIFT") }
        let text = CompiledText(String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self))
        let areUsed = try arguments[2...].map { try namesAreUsed(in: text, of: $0, graphs: arguments[1]) }
        if areUsed.contains(false) {
            fail("Use each public name where a reader can see for what it is, or hide it from the documentation.")
        }
    case "release":
        guard arguments.count == 2 else { fail("usage: api release FOLDER") }
        try Release(arguments[1]).write()
    default: fail("usage: api test|write|check|names|release …")
    }
} catch {
    fail("\(error)")
}
