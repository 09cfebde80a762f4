// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Deployment". They have relative paths, and run in a process of their own.
enum DeploymentPage {
    static let history = Schema("shop") {
        Version(1) {
            CreateTable("orders") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("item", String.self)
            }
        }
    }

    static let longer = Schema("shop") {
        Version(1) {
            CreateTable("orders") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("item", String.self)
            }
        }
        Version(2) { AlterTable("orders") { AddColumn("price", Int?.self) } }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct DeploymentSnippets {
    @Test func deployment() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            try await DeploymentSnippets.run(in: directory)
        }
    }

    static func run(in directory: TemporaryDirectory) async throws {
        let history = DeploymentPage.history
        do {
            let database = try Database("app.db")
            try await database.migrate(history, waiting: .seconds(60))
            try await database.close()
        }
        #expect(!FileManager.default.fileExists(atPath: "app.db-wal"))
        do {
            // Several databases on one file migrate it at the same time: one of them runs the version.
            let longer = DeploymentPage.longer
            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let database = try Database("app.db")
                        return try await database.migrate(longer, waiting: .seconds(60))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 }.count == 1)
            let older = await #expect(throws: SchemaError.self) {
                try await Database("app.db").migrate(DeploymentPage.history)
            }
            #expect(older != nil)
            let hasRun = try await Database("app.db").migrate(DeploymentPage.history, options: .acceptNewerFiles)
            #expect(!hasRun)
        }
        let longer = DeploymentPage.longer
        do {
            let history = longer
            let database = try Database("app.db")
            let status = try await database.read { try history.status(of: $0) }
            if !status.isUpToDate {
                for try await _ in database.backup(to: "before-\(status.latest).db") {}
            }
            try await database.migrate(history)
            #expect(status.isUpToDate)
        }
        let folder = URL(fileURLWithPath: directory.file("Application Support"))
        let files = folder.appending(path: "Database")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let database = try Database(files.appending(path: "app.db").path)
        try await database.close()
        let cars = try Connection("app.db", mode: .immutable)
        #expect(try cars.count("orders") == 0)
        print(SquallVersion.current, SQLiteLibrary.version, SQLiteLibrary.has("ENABLE_FTS5"))
    }
}
