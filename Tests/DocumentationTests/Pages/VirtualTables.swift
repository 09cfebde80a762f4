// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Virtual tables".
private struct Car: TableRecord {
    let id: Int64
    let name: String

    static let table = Table("cars", Car.init) {
        Column("id", \Car.id, .primaryKey)
        Column("name", \Car.name)
    }
}

struct FileTable: VirtualTable {
    typealias File = (name: String, size: Int)

    init(_ arguments: TableArguments) {}

    var columns: [VirtualColumn<File>] {
        [
            VirtualColumn("name", \.name), VirtualColumn("size", \.size),
            .parameter("folder"),
        ]
    }

    func rows(_ scan: borrowing Scan) throws -> some Sequence<File> {
        let folder = try scan.parameter("folder", as: String.self) ?? "."
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: folder).sorted()
        return names.lazy.map { name in
            let found = try? manager.attributesOfItem(atPath: "\(folder)/\(name)")
            return (name, found?[.size] as? Int ?? 0)
        }
    }
}

struct CSVTable: VirtualTable {
    let lines: [[Substring]]

    init(_ arguments: TableArguments) throws {
        let path = try arguments.required("file")
        lines = try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: ",") }
    }

    var columns: [VirtualColumn<[Substring]>] {
        (lines.first ?? []).enumerated().map { index, name in
            VirtualColumn(String(name)) { index < $0.count ? $0[index] : nil }
        }
    }

    func rows(_ scan: borrowing Scan) -> some Sequence<[Substring]> {
        lines.dropFirst()
    }
}

struct Numbers: TableSource {
    var columns: [VirtualColumn<Int>] {
        [VirtualColumn("n") { $0 }, VirtualColumn("square") { $0 * $0 }]
    }

    func plan(_ query: PlanQuery) -> Plan {
        if let equal = query.constraint("n", .equal) {
            return Plan(1, "n =", using: [equal.used], rows: 1)
        }
        return Plan(0, "all", isOrdered: query.isOrdered(by: "n"), rows: 1_000)
    }

    func rows(_ scan: borrowing Scan) throws -> [Int] {
        guard scan.plan == 1 else { return Array(1...1_000) }
        guard let n = try scan.equalValue(0, as: Int.self) else {
            return []
        }
        return (1...1_000).contains(n) ? [n] : []
    }

    func rowID(of row: Int) -> Int64? { Int64(row) }
}

struct VirtualTablesSnippets {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.insert(
            contentsOf: [Car(id: 1, name: "Audi"), Car(id: 2, name: "BMW"), Car(id: 3, name: "Citroën")])
    }

    @Test func arrays() throws {
        let ids = [3, 1]
        let names: [String] = try connection.query(
            "SELECT name FROM cars WHERE id IN \(array: ids)")
        let ordered: [String] = try connection.query(
            """
            SELECT name FROM \(array: ids) AS key JOIN cars ON cars.id = key.value
            ORDER BY key.rowid
            """)                                                // in the order of the array
        #expect(names.sorted() == ["Audi", "Citroën"])
        #expect(ordered == ["Citroën", "Audi"])
    }

    @Test func keys() throws {
        let cars = try connection.find(Car.self, keys: [3, 1, 99])
        print(cars.map(\.name))                                 // ["Citroën", "Audi"]
        #expect(cars.map(\.name) == ["Citroën", "Audi"])
    }

    @Test func records() throws {
        let incoming = [Car(id: 1, name: "Audi A4"), Car(id: 9, name: "Fiat")]
        let changed: [String] = try connection.withTable("incoming", incoming) {
            try $0.query(
                "SELECT i.name FROM incoming i JOIN cars c USING(id) WHERE i.name != c.name")
        }
        print(changed)                                          // ["Audi A4"]
        #expect(changed == ["Audi A4"])
    }

    @Test func functions() throws {
        try connection.addTableFunction("split", columns: "part") {
            (text: String, by: String) in
            text.split(separator: by)
        }
        let parts: [String] = try connection.query("SELECT part FROM split('a,b,c', ',')")
        #expect(parts == ["a", "b", "c"])
        let words: [String] = try connection.query(
            "SELECT part FROM cars, split(cars.name, ' ') ORDER BY part")
        #expect(words == ["Audi", "BMW", "Citroën"])
    }

    @Test func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in ["a": "123", "b": "12345", "c": "1234"] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try connection.register(FileTable.self, named: "files")
        let large: [String] = try connection.query(
            "SELECT name FROM files(\(folder)) WHERE size > 3 ORDER BY size DESC")
        #expect(large == ["b", "c"])

        let file = folder + "/prices.csv"
        try "name,price\nnut,0.5\nsaw,19\n".write(toFile: file, atomically: true, encoding: .utf8)
        try connection.register(CSVTable.self, named: "csv", use: .created)
        try connection.execute(
            "CREATE VIRTUAL TABLE temp.prices USING csv(file='\(raw: file)')")
        let dear: [String] = try connection.query(
            "SELECT name FROM prices WHERE CAST(price AS REAL) > 10")
        #expect(dear == ["saw"])
    }

    @Test func plans() throws {
        try connection.register(named: "numbers") { _ in Numbers() }
        #expect(try connection.query("SELECT square FROM numbers WHERE n = '12'") == 144)
        #expect(try connection.query("SELECT count(*) FROM numbers WHERE n = 'x' OR n = 3 OR square = 9") == 1)
    }

    @Test func errors() throws {
        struct NoSuchFolder: Error {}

        try connection.addTableFunction("broken", columns: "name") {
    (folder: String) -> [String] in
            throw NoSuchFolder()
        }
        do {
            try connection.run("SELECT name FROM broken('/nowhere')")
        } catch is NoSuchFolder {
            print("no such folder")
        }
    }
}
