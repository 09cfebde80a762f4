import SQiftCompatibility

func singleValues() throws {
    let db = try garage()

    let synchronous: Int? = try db.query("PRAGMA synchronous")
    let minPrice: UInt? = try db.query("SELECT avg(price) FROM cars WHERE price > ?", 40_000)

    print("synchronous: \(synchronous ?? -1)")
    print("average price over 40000: \(minPrice ?? 0)")
}
