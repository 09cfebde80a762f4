import Foundation
import Squall
import SquallChanges

/// A head office, whose products and prices the branches copy.
struct Office {
    let connection: Connection

    /// Triggers count how often each price was changed.
    static let schema: SQL = """
        CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, stock INTEGER);
        CREATE TABLE price_changes(product INTEGER PRIMARY KEY, count INTEGER NOT NULL);
        CREATE TRIGGER count_changes AFTER UPDATE OF price ON products BEGIN
            INSERT INTO price_changes VALUES(new.id, 1) ON CONFLICT(product) DO UPDATE SET count = count + 1;
        END;
        INSERT INTO products VALUES(1, 'Tea', 10, 5), (2, 'Cups', 19, 5), (3, 'Sugar', 3, 5)
        """

    init() throws {
        connection = try Connection("office.db")
        try connection.execute(Self.schema)
    }

    /// Works for a day, and returns its changes of products and prices.
    func workForADay() throws -> Changeset {
        let limit = 1 << 20
        let recorder = try connection.startRecording(in: ["products", "price_changes"], memoryLimit: limit)
        defer { recorder.stop() }
        try connection.run("UPDATE products SET price = 12 WHERE name = 'Tea'")
        try connection.run("INSERT INTO products VALUES(4, 'Honey', 8, 0)")
        try leavingOut(recorder) {
            try connection.run("UPDATE products SET stock = 4 WHERE name = 'Sugar'")
        }
        try asAutomatic(recorder) {
            try connection.run("UPDATE products SET price = 20 WHERE name = 'Cups'")
        }
        print("The recorder has used less than 1 MB: \(recorder.memoryUsed < limit)")
        let (changes, patches) = (try recorder.changeset(), try recorder.patchset())
        print("The new values alone are smaller: \(patches.data.count < changes.data.count)")
        return changes
    }

    /// Counting the stock is not news for the branches.
    private func leavingOut(_ recorder: ChangeRecorder, _ body: () throws -> Void) rethrows {
        recorder.isPaused = true
        defer { recorder.isPaused = false }
        try body()
    }

    /// Changes that no person has decided on are marked as those of triggers are.
    private func asAutomatic(_ recorder: ChangeRecorder, _ body: () throws -> Void) rethrows {
        recorder.isIndirect = true
        defer { recorder.isIndirect = false }
        try body()
    }

    /// Raises all prices, and writes the new ones to a file, for branches that take them whatever theirs are.
    func raisePrices(writingTo path: String) throws {
        let recorder = try connection.startRecording(in: ["products"])
        try connection.run("UPDATE products SET price = price + 1")
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try recorder.writePatchset { try file.write(contentsOf: $0) }
        try file.close()
        recorder.stop()
    }
}
