import SquallSQLite
import Foundation

/// The database files, in a folder of their own that is removed at the end, or in one that is given and kept.
final class Fixtures {
    let folder: URL
    private let isTemporary: Bool

    init(folder path: String?) throws {
        isTemporary = path == nil
        folder =
            path.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "squall-benchmarks-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        if isTemporary { try? FileManager.default.removeItem(at: folder) }
    }

    /// The path of a file that all sides read, made by a script if it is not there.
    func file(_ name: String, script: String) throws -> String {
        let path = folder.appending(path: name).path
        if FileManager.default.fileExists(atPath: path) { return path }
        let database = try CDatabase(path)
        try database.execute("BEGIN; \(script); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
        return path
    }

    /// The path of a file that one side writes, without what an earlier round has left.
    func freshFile(for row: String, _ side: Benchmark.Side) -> String {
        let path = folder.appending(path: "\(row)-\(side)").path
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        return path
    }
}

extension Fixtures {
    /// 200,000 rows of ten integers of all sizes.
    func integers() throws -> String {
        try file(
            "integers",
            script: """
                CREATE TABLE integers(i0 INTEGER, i1 INTEGER, i2 INTEGER, i3 INTEGER, i4 INTEGER,
                    i5 INTEGER, i6 INTEGER, i7 INTEGER, i8 INTEGER, i9 INTEGER);
                WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(200_000) - 1))
                INSERT INTO integers SELECT n, n * 3, n % 100, -n, n * 1000, n % 7, n * n, n + 1, n * 31, n % 2
                FROM numbers
                """
        )
    }

    /// 100,000 rows of six columns: an integer, three texts (the second is NULL in every third row), a real and a blob.
    func mixed() throws -> String {
        try file(
            "mixed",
            script: """
                CREATE TABLE mixed(\(Mixed.definition));
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(100_000)))
                INSERT INTO mixed SELECT n, printf('car number %d', n),
                    CASE n % 3 WHEN 0 THEN NULL ELSE printf('a note of some length, number %d', n) END,
                    CASE n % 4 WHEN 0 THEN 'Malmö' WHEN 1 THEN 'Oslo' WHEN 2 THEN 'København' ELSE 'Helsinki' END,
                    n / 7.0, CAST(printf('%032d', n * 7919) AS BLOB)
                FROM numbers
                """
        )
    }

    /// 100,000 cars with numbers from 1.
    func cars() throws -> String {
        try file(
            "cars",
            script: """
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
                INSERT INTO cars SELECT n, printf('Audi %d', n), n * 7919 % 100000 FROM numbers
                """
        )
    }

    /// A million rows of two numbers.
    func reals() throws -> String {
        try file(
            "reals",
            script: """
                CREATE TABLE reals(a REAL NOT NULL, b REAL NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(1_000_000)))
                INSERT INTO reals SELECT n / 7.0, n * 7919 % 100003 / 3.0 FROM numbers
                """
        )
    }

    /// 200,000 names of 6 to 11 bytes, in no order, and texts of 40.
    func names() throws -> String {
        try file(
            "names",
            script: """
                CREATE TABLE names(name TEXT NOT NULL, long TEXT NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(200_000)))
                INSERT INTO names SELECT printf('Audi %d', n * 7919 % 200003),
                    printf('%d is the number of a car with a long name', n * 7919 % 200003)
                FROM numbers
                """
        )
    }

    /// 1,000 authors with ten posts each, which are in no order.
    func posts() throws -> String {
        try file(
            "posts",
            script: """
                CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE posts(id INTEGER PRIMARY KEY, author INTEGER NOT NULL, title TEXT NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
                INSERT INTO authors SELECT n, printf('author number %d', n) FROM numbers;
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
                INSERT INTO posts SELECT n, n * 7919 % 1000 + 1, printf('the title of post number %d', n) FROM numbers;
                CREATE INDEX posts_author ON posts(author)
                """
        )
    }
}
