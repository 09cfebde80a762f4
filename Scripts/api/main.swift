// Writes the public declarations of products into files, or compares them with the files: `make api` and `make api-check`.
//
//     api write|check FOLDER INTERFACES PRODUCT…
//
// INTERFACES is a folder with what `swift synthesize-interface` has printed for each product.

import Foundation

/// Prints a sentence to the standard error, and ends the process.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

func lines(of product: String, in interfaces: String) throws -> [String] {
    let text = try String(contentsOfFile: "\(interfaces)/\(product).swiftinterface", encoding: .utf8)
    return try Interface(of: product, text).declarations.map(\.line)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments == ["test"] {
    test()
    exit(0)
}
guard arguments.count > 3, let command = arguments.first, ["write", "check"].contains(command) else {
    fail("usage: api write|check FOLDER INTERFACES PRODUCT…")
}
let (folder, interfaces) = (arguments[2], arguments[3])
var differences = 0
do {
    for product in arguments.dropFirst(3) {
        let path = "\(folder)/\(product).txt"
        let declarations = try lines(of: product, in: interfaces)
        if command == "write" {
            try (declarations.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            let old =
                (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
            if old != declarations {
                let comparison = Comparison(old, declarations)
                print("\(path): \(comparison.removed.count) removed, \(comparison.added.count) added")
                print(comparison.description)
                differences += 1
            }
        }
        print("\(path): \(declarations.count) public declarations")
    }
} catch {
    fail("\(error)")
}
if differences > 0 {
    fail(
        """
        The public declarations differ from the files in \(folder). If this is intended, write the files by `make api` or \
        `make api-integrations`, and commit them with a line in CHANGELOG.md.
        """)
}
