import Foundation
import FuzzTargets
import Testing

/// The inputs of the corpus, run without a fuzzer.
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpus")

    @Test(arguments: FuzzTarget.all.map(\.name)) func everyInputHolds(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.corpus.appendingPathComponent(name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!files.isEmpty)
        for file in files {
            do {
                try target.run(Array(try Data(contentsOf: folder.appendingPathComponent(file))))
            } catch {
                Issue.record("\(name)/\(file): \(error)")
            }
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func everySeedIsInTheCorpus(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for (seed, bytes) in try target.seeds() {
            let file = Self.corpus.appendingPathComponent("\(name)/seed-\(seed)")
            #expect(FileManager.default.fileExists(atPath: file.path), "make fuzz SEEDS=1 writes \(seed)")
            // A database has the version of SQLite in it.
            if name != "files" { #expect(try Array(Data(contentsOf: file)) == bytes, "\(seed)") }
        }
    }
}
