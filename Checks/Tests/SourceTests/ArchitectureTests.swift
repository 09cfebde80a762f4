import Foundation
import Testing

/// A file names only types of its own folder and of those before it in this list.
struct ArchitectureTests {
    static let folders = [
        "Errors", "Values", "SQL", "Connection", "Queries", "Blobs", "Transactions", "Extending", "VirtualTables",
        "Hooks", "Upkeep", "Access", "Observation", "Schema", "Tables",
    ]

    /// The modules above the library that apps may do without, each with its folders in their order.
    static let annexes: KeyValuePairs = [
        "SquallChanges": ["Changesets", "Recording", "Applying", "Sync", "Undo"],
        "SquallSearch": ["Tokens", "Functions", "SearchTables", "Queries", "Spatial", "Vectors"],
        "SquallStore": [],
        "SquallEncryption": [],
    ]

    private static let sources = "Sources/Squall"

    private typealias Code = (path: String, code: String)

    /// The files of a module and their code without comments, by folder.
    private static func files(of module: String) -> [String: [Code]] {
        Dictionary(
            grouping: Repository.files(in: module, ".swift").map { (path: $0.path, code: $0.code) },
            by: { String($0.path.split(separator: "/")[2]) })
    }

    private static let files = files(of: sources)

    private static let filesOfAnnexes = annexes.flatMap { files(of: "Sources/\($0.key)").values.joined() }

    private static let allFiles = folders.flatMap { files[$0] ?? [] } + filesOfAnnexes

    private static func withoutStrings(_ code: String) -> String {
        // Those inside an interpolation first.
        code.replacing(/"[^"\\\n]*"/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "")
    }

    private static func names(
        _ pattern: Regex<(Substring, Substring)>, in files: [String: [Code]]
    ) -> [String: Set<String>] {
        files.mapValues { Set($0.flatMap { $0.code.matches(of: pattern).map { String($0.1) } }) }
    }

    private static func types(in files: [String: [Code]]) -> [String: Set<String>] {
        names(/(?:^|\n) {0,4}(?:[a-z@()]+ )*(?:struct|class|enum|protocol|typealias) ([A-Z][A-Za-z]+)/, in: files)
    }

    private static let declaredTypes = types(in: files)

    private static let declaredNames = names(/\b(?:func|var|let|case) (\w+)/, in: files)

    /// Returns the names that only the folders after one declare.
    private static func laterNames(
        _ names: [String: Set<String>], after index: Int, of folders: [String] = folders
    ) -> Set<String> {
        let own = folders[...index].reduce(into: Set<String>()) { $0.formUnion(names[$1] ?? []) }
        return folders[(index + 1)...].reduce(into: Set<String>()) { $0.formUnion(names[$1] ?? []) }.subtracting(own)
    }

    @Test func foldersAreThoseOfTheList() throws {
        let found = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: Self.sources).path)
        #expect(Set(found.filter { !$0.hasSuffix(".docc") }) == Set(Self.folders))
    }

    @Test func everyFolderDeclaresSomething() {
        for folder in Self.folders where folder != "Transactions" {
            #expect(Self.declaredTypes[folder]?.isEmpty == false, "\(folder)")
        }
    }

    @Test(arguments: folders.indices) func filesNameOnlyTypesOfFoldersBefore(_ index: Int) {
        let later = Self.laterNames(Self.declaredTypes, after: index)
        for file in Self.files[Self.folders[index]] ?? [] {
            #expect(Self.words(of: file).intersection(later).isEmpty, "\(file.path)")
        }
    }

    private static func words(of file: Code) -> Set<String> {
        Set(withoutStrings(file.code).matches(of: /\b[A-Z][A-Za-z]+/).map { String($0.0) })
    }

    @Test func filesOfAnnexesNameOnlyTypesOfFoldersBefore() {
        let ofLibrary = Self.declaredTypes.values.reduce(into: Set()) { $0.formUnion($1) }
        for (annex, folders) in Self.annexes where !folders.isEmpty {
            let files = Self.files(of: "Sources/\(annex)")
            #expect(Set(files.keys) == Set(folders))
            let types = Self.types(in: files)
            for (index, folder) in folders.enumerated() {
                let later = Self.laterNames(types, after: index, of: folders).subtracting(ofLibrary)
                for file in files[folder] ?? [] {
                    #expect(Self.words(of: file).intersection(later).isEmpty, "\(file.path)")
                }
            }
        }
    }

    /// Nothing of the library's own is exported by an annex, and an annex does without the others.
    @Test func annexesImportTheLibraryAlone() throws {
        let allowed: Set = ["Squall", "SquallSQLite", "Foundation", "FoundationEssentials"]
        #expect(Self.filesOfAnnexes.count > 60)
        for file in Self.filesOfAnnexes {
            let imports = Set(file.code.matches(of: /\bimport (\w+)/).map { String($0.1) })
            #expect(imports.isSubset(of: allowed) && !file.code.contains("@_exported"), "\(file.path)")
        }
        for (annex, _) in Self.annexes {
            #expect(try Repository.file("README.md").text.contains("`import \(annex)`"))
        }
    }

    /// Members as well: a folder does not call what a later one adds to its types.
    @Test(arguments: folders.indices) func filesUseOnlyMembersOfFoldersBefore(_ index: Int) {
        let later = Self.laterNames(Self.declaredNames, after: index)
            .subtracting(Self.namesOfTheStandardLibrary).subtracting(Self.namesOfTheBase)
        for file in Self.files[Self.folders[index]] ?? [] {
            let code = Self.withoutStrings(file.code)
            let members = code.matches(of: /\.(\w+)/).map { String($0.1) }
            #expect(later.intersection(members).isEmpty, "\(file.path)")
        }
    }

    private static let namesOfTheBase = Set(
        Repository.files(in: "Sources/SquallBase", ".swift").flatMap { file in
            file.code.matches(of: /\b(?:func|var|let|case) (\w+)/).map { String($0.1) }
        })

    private static let namesOfTheStandardLibrary: Set<String> = [
        "allCases", "append", "contains", "custom", "drop", "duration", "encode", "filter", "first", "hasPrefix",
        "hasSuffix",
        "indices",
        "isEmpty",
        "joined",
        "last", "load", "max", "min", "nanoseconds", "none", "omit", "removeFirst", "replacing", "rounded", "self",
        "startIndex",
        "starts",
        "success",
        "sync",
        "union",
        "uppercased", "utf8",
    ]

    @Test func nothingInTheSourcesStopsTheProgramButOneSubscript() {
        let traps = /\b(?:precondition|preconditionFailure|fatalError|try!|as!)/
        let found = Self.allFiles.filter { $0.code.contains(traps) }
        #expect(found.map(\.path) == ["Sources/Squall/Values/Rows/Row.swift"])
    }

    /// The whole of Foundation makes a static program four times as large on Linux.
    @Test func filesImportFoundationByItsEssentialsAlone() {
        let condition =
            "#if canImport(FoundationEssentials)\n    import FoundationEssentials\n#else\n    import Foundation\n#endif"
        let names =
            /\b(?:NSLock|NSCondition|NSNull|NSObject|Thread|CharacterSet|FileHandle|trimmingCharacters|localizedDescription)\b|String\(format:/
        for file in Self.allFiles {
            #expect(!file.code.replacing(condition, with: "").contains("import Foundation"), "\(file.path)")
            #expect(file.code.firstMatch(of: names) == nil, "\(file.path)")
        }
    }

    /// SquallBase is hidden from users of the library: one file imports it, for the package, and no public declaration names its types.
    @Test func theBaseIsNotPublic() throws {
        let imports = Self.allFiles.filter { $0.code.contains("import SquallBase") }
        #expect(imports.map(\.path) == ["Sources/Squall/SQL/Base.swift"])
        #expect(imports.allSatisfy { $0.code.contains("package import SquallBase") })
        let types = Repository.files(in: "Sources/SquallBase", ".swift").flatMap {
            $0.code.matches(of: /\npublic (?:struct|enum) (\w+)/).map { String($0.1) }
        }
        #expect(types.count >= 9)
        for product in Repository.files(in: "API", ".txt") {
            for type in types {
                #expect(!product.text.contains(try Regex("\\b\(type)\\b")), "\(product.path): \(type)")
            }
        }
    }

    /// The tool and the generator of SQL files open files that need what only the library adds to SQLite.
    @Test(arguments: [
        "Tools/Sources/SquallTool/Input/Connection+Extensions.swift", "Sources/SquallSQLFiles/Schema/SchemaStubs.swift",
    ]) func toolsAddAllThatTheLibraryAddsToSQL(_ path: String) throws {
        let declared = Repository.files(in: "API", ".txt").flatMap(\.lines).compactMap {
            $0.firstMatch(of: /^Connection \| func (add\w+)\(\) throws$/)?.output.1
        }
        let code = try Repository.file(path).code
        #expect(declared.count >= 2)
        for name in declared { #expect(code.contains("\(name)()"), "\(name) is missing") }
    }
}
