import Foundation
import SQiftCompatibility
import Testing

struct CGFloatTests {
    @Test func aCGFloatIsAREAL() throws {
        let connection = try Connection()
        let value: CGFloat = 1.5
        #expect(try connection.query("SELECT typeof(\(value))") as String == "real")
        #expect(try connection.query("SELECT \(value)") as CGFloat == 1.5)
        #expect(CGFloat.fromBindingValue("1.5") == nil)
    }
}
