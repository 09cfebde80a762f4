/// Dates in every form that Squall reads, and some that only SQLite reads.
enum DateSeeds {
    static var all: [String: [UInt8]] {
        let texts = [
            "2026-11-21T20:15:00.000", "2026-11-21 20:15", "2026-11-21", "2026-11-21T20:15:30.123456789Z",
            "2026-02-29", "2024-02-29T24:00", "2026-11-21T20:15+14:59", "0000-01-01T00:00-00:01", "-0001-12-31",
            "9999-12-31T23:59:59.9999", "2026-02-31", "20:15", "2451545.0", "now", "2026-11-21\u{0}x",
            "2026-11-21T20:15 z ",
        ]
        var seeds: [String: [UInt8]] = [:]
        for (index, text) in texts.enumerated() { seeds["text-\(index)"] = [2] + Array(text.utf8) }
        seeds["number"] = [0, 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18, 20, 10]
        seeds["sentence"] = [1, 200, 7, 234, 200, 5, 3, 200, 9, 200, 9, 1, 1, 1, 1, 1, 1, 1, 1]
        return seeds
    }
}
