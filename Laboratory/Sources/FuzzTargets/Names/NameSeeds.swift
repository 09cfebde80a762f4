/// Names and values that were mistaken for something else somewhere.
enum NameSeeds {
    static var all: [String: [UInt8]] {
        let names = [
            ("quotes", ["a\"b", "c'd", "e]f`"]), ("nul", ["a\0b", "x", "y"]),
            ("keywords", ["select", "from", "table"]),
            ("emoji", ["🙂", "e\u{301}", "é"]), ("empty", ["", "a", "A"]),
            ("comments", ["--", "/*", "*/; DROP TABLE untouched"]),
            ("marks", ["\"\u{301}", "$\u{301}x", "\u{feff}"]), ("internal", ["SQLite_x", "sqlite_y", "?1"]),
        ]
        var seeds: [String: [UInt8]] = [:]
        for (name, texts) in names {
            var bytes: [UInt8] = []
            for text in texts { bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [200] }
            bytes += [7, 4] + Array("it's".utf8) + [3, 0x80, 0, 0, 0, 0, 0, 0, 0] + [2, 2, 1, 2, 0xff]
            seeds[name] = bytes
        }
        seeds["long"] =
            [10] + Array("0123\"'5678".utf8) + [1, 255, 1, 97, 200, 1, 98, 200, 1, 0x80, 0, 0, 0, 0, 0, 0, 0]
        return seeds
    }
}
