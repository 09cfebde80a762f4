import Foundation
import Testing

/// A file names only types of its own folder and of those before it in this list.
struct ArchitectureTests {
    static let folders = [
        "Errors", "Values", "SQL", "Connection", "Queries", "Blobs", "Transactions", "Extending", "VirtualTables",
        "Search", "Hooks", "Upkeep", "Access", "Sessions", "Observation", "Schema", "Tables", "Stores",
    ]

    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Squall")

    private static func code(in folder: String) throws -> [(String, String)] {
        let url = sources.appending(path: folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
        return try names.filter { $0.hasSuffix(".swift") }.map { name in
            let file = url.appending(path: name)
            let text = try String(contentsOf: file, encoding: .utf8)
            return (file.lastPathComponent, text.replacing(/\/\/.*/, with: ""))
        }
    }

    private static func declaredTypes(in folder: String) throws -> Set<String> {
        let declaration = /(?:^|\n) {0,4}(?:[a-z@()]+ )*(?:struct|class|enum|protocol|typealias) ([A-Z][A-Za-z]+)/
        return try Set(code(in: folder).flatMap { $0.1.matches(of: declaration).map { String($0.1) } })
    }

    @Test func foldersAreThoseOfTheList() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        #expect(Set(found.filter { !$0.hasSuffix(".docc") }) == Set(Self.folders))
    }

    @Test func everyFolderDeclaresSomething() throws {
        for folder in Self.folders where folder != "Transactions" {
            #expect(try !Self.declaredTypes(in: folder).isEmpty, "\(folder)")
        }
    }

    @Test(arguments: folders.indices) func filesNameOnlyTypesOfFoldersBefore(_ index: Int) throws {
        let own = try Self.folders[...index].reduce(into: Set<String>()) {
            try $0.formUnion(Self.declaredTypes(in: $1))
        }
        let later = try Self.folders[(index + 1)...]
            .reduce(into: Set<String>()) { try $0.formUnion(Self.declaredTypes(in: $1)) }
            .subtracting(own)
        for (file, text) in try Self.code(in: Self.folders[index]) {
            let words = Set(
                text.replacing(/"[^"\\\n]*"/, with: "").matches(of: /\b[A-Z][A-Za-z]+/).map { String($0.0) })
            #expect(words.intersection(later).isEmpty, "\(Self.folders[index])/\(file)")
        }
    }

    /// Members as well: a folder does not call what a later one adds to its types.
    @Test(arguments: folders.indices) func filesUseOnlyMembersOfFoldersBefore(_ index: Int) throws {
        let own = try Self.folders[...index].reduce(into: Set<String>()) {
            try $0.formUnion(Self.declaredNames(in: $1))
        }
        let later = try Self.folders[(index + 1)...]
            .reduce(into: Set<String>()) { try $0.formUnion(Self.declaredNames(in: $1)) }
            .subtracting(own).subtracting(Self.namesOfTheStandardLibrary)
        for (file, text) in try Self.code(in: Self.folders[index]) {
            let names = text.replacing(/"[^"\\\n]*"/, with: "").matches(of: /\.(\w+)/).map { String($0.1) }
            #expect(later.intersection(names).isEmpty, "\(Self.folders[index])/\(file)")
        }
    }

    private static let namesOfTheStandardLibrary: Set<String> = [
        "allCases", "append", "contains", "custom", "drop", "duration", "encode", "filter", "first", "indices",
        "isEmpty",
        "joined",
        "last", "load", "max", "min", "nanoseconds", "none", "omit", "removeFirst", "replacing", "rounded", "self",
        "sync",
        "union",
        "uppercased", "utf8",
    ]

    private static func declaredNames(in folder: String) throws -> Set<String> {
        try Set(code(in: folder).flatMap { $0.1.matches(of: /\b(?:func|var|let|case) (\w+)/).map { String($0.1) } })
    }

    @Test func nothingInTheSourcesStopsTheProgramButOneSubscript() throws {
        let traps = /\b(?:precondition|preconditionFailure|fatalError|try!|as!)/
        let found = try Self.folders.flatMap { try Self.code(in: $0) }.flatMap { file in
            file.1.matches(of: traps).map { _ in file.0 }
        }
        #expect(found == ["Row.swift"])
    }

    /// The whole of Foundation makes a static program four times as large on Linux.
    @Test func filesImportFoundationByItsEssentialsAlone() throws {
        let condition =
            "#if canImport(FoundationEssentials)\n    import FoundationEssentials\n#else\n    import Foundation\n#endif"
        let names =
            /\b(?:NSLock|NSCondition|NSNull|NSObject|Thread|CharacterSet|FileHandle|trimmingCharacters|localizedDescription)\b|String\(format:/
        for (file, text) in try Self.folders.flatMap({ try Self.code(in: $0) }) {
            #expect(!text.replacing(condition, with: "").contains("import Foundation"), "\(file)")
            #expect(text.firstMatch(of: names) == nil, "\(file)")
        }
    }
}
