import Foundation
import Testing

/// The page "Every verb" has a line for each verb of the types by which a program works with a database.
struct VerbListTests {
    /// The types of the names in the lines.
    private static let types = [
        "database": "Database", "snapshot": "ReadSnapshot", "queue": "ConnectionQueue", "pool": "ConnectionPool",
        "connection": "Connection", "statement": "Statement", "update": "Statement", "insert": "PreparedInsert",
        "insertCar": "PreparedRecordInsert", "blob": "Blob", "schema": "Schema", "plan": "SchemaPlan",
        "recorder": "ChangeRecorder", "history": "UndoHistory", "log": "SyncLog", "store": "SQLStore",
        "Connection": "Connection", "Database": "Database", "SyncLog": "SyncLog",
    ]

    /// Types that have verbs of others, under the same names.
    private static let twins = [
        "Database.Blocking": "Database", "ReadSnapshot.Blocking": "ReadSnapshot", "UndoHistory.Blocking": "UndoHistory",
        "Connection.TableAccess": "Connection", "StoreConnection.TableAccess": "StoreConnection",
    ]

    /// Methods that are not verbs of a program.
    private static let exceptions: Set = [
        // Of `Hashable`.
        "ConnectionQueue.hash",
        // Of encrypted files, whose guide has them.
        "Database.copy", "Database.rekey",
        // Of a database that is followed, of a hub and of a replica that begins: in the guide "Synchronising databases".
        "SyncLog.follow", "SyncLog.begin", "SyncLog.rows", "SyncLog.start", "SyncLog.netChanges", "SyncLog.batch",
        "SyncLog.sendAgain", "SyncLog.conflicts", "SyncLog.resolve",
        // For the implementation of a store.
        "StoreConnection.decode", "Schema.migrateNextVersion",
    ]

    /// The names of the methods of each type, as the lists of public declarations have them.
    private static let declared: [String: Set<String>] = {
        var declared: [String: Set<String>] = [:]
        for module in ["Squall"] + ArchitectureTests.annexes.map(\.key) {
            guard let list = try? Repository.file("API/\(module).txt") else { continue }
            for line in list.lines {
                // A regular expression would take a second for each hundred lines.
                let parts = line.components(separatedBy: " | ")
                guard parts.count > 1, let function = parts[1].range(of: "func ") else { continue }
                let type = parts[0].components(separatedBy: " where ")[0]
                let name = parts[1][function.upperBound...].prefix { $0.isLetter || $0.isNumber }
                if !name.isEmpty { declared[type, default: []].insert(String(name)) }
            }
        }
        return declared
    }()

    @Test func eachVerbHasALine() throws {
        let page = try Repository.file("Sources/Squall/Squall.docc/Guides/Verbs.md")
        var shown: Set<String> = []
        var section = ""
        for line in page.lines {
            if line.hasPrefix("### ") { section = String(line.dropFirst(4)) }
            guard let swift = line.prefixMatch(of: /\| `([^`]+)`/)?.1 else { continue }
            for call in swift.matches(of: /\b(\w+)\.(?:blocking\.)?(\w+)/) {
                guard let type = Self.types[String(call.1)] else { continue }
                let isOfStore = section == "Stores" && type == "Connection"
                shown.insert("\(isOfStore ? "StoreConnection" : type).\(call.2)")
            }
        }
        let types = Set(Self.types.values).union(["StoreConnection"])
        let verbs = Set(types.flatMap { type in (Self.declared[type] ?? []).map { "\(type).\($0)" } })
        #expect(verbs.count > 150)
        #expect(verbs.subtracting(Self.exceptions).subtracting(shown).sorted() == [])
        #expect(shown.subtracting(verbs).sorted() == [])
    }

    /// The page "At a glance" has lines of the page of all verbs, whose SQL it may shorten.
    @Test func thePageAtAGlanceHasTheSQLOfTheVerbs() throws {
        func rows(_ page: String) throws -> [[String]] {
            try Repository.file("Sources/Squall/Squall.docc/Guides/\(page).md").lines
                .filter { $0.hasPrefix("| ") && $0.contains("`") }
                .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
        }
        let verbs = try Dictionary(rows("Verbs").map { ($0[0], $0[1]) }) { first, _ in first }
        let glance = try rows("AtAGlance")
        #expect(glance.count >= 25)
        for row in glance {
            let sql = try #require(verbs[row[1]], "\(row[1])")
            var rest = sql[...]
            for part in row[2].split(separator: "…") {
                guard let range = rest.range(of: part) else {
                    Issue.record("\(row[1]): \(row[2]) is not \(sql)")
                    break
                }
                rest = rest[range.upperBound...]
            }
        }
    }

    @Test func twinsHaveTheVerbsOfTheirTypes() throws {
        for (twin, type) in Self.twins {
            let verbs = try #require(Self.declared[twin])
            #expect(verbs.subtracting(try #require(Self.declared[type])) == [], "\(twin)")
        }
    }
}
