import Foundation
import SQiftCompatibility

// The built-in `Binding` types, each stored and read back.
func bindings() throws {
    let connection = try Connection()

    func roundTrip<T: Binding>(_ value: T) throws {
        guard let row = try connection.query("SELECT typeof(?1), ?1", value) else { return }
        let storageClass: String = row[0]
        let result: T = row[1]
        print("\(storageClass.uppercased()): \(T.self) \(result)")
    }

    let null: String? = try connection.query("SELECT typeof(?)", NSNull())
    print("\(null?.uppercased() ?? "?"): NSNull")

    try roundTrip(true)
    try roundTrip(Int8.min)
    try roundTrip(Int16.min)
    try roundTrip(Int32.min)
    try roundTrip(Int64.min)
    try roundTrip(Int.max)
    try roundTrip(UInt8.max)
    try roundTrip(UInt16.max)
    try roundTrip(UInt32.max)
    try roundTrip(UInt64.max)
    try roundTrip(UInt.max)
    try roundTrip(Float(1.5))
    try roundTrip(0.1)
    try roundTrip("text")
    if let url = URL(string: "https://sqlite.org") { try roundTrip(url) }
    try roundTrip(Date(timeIntervalSince1970: 0))
    try roundTrip(Data([1, 2, 3]))
}
