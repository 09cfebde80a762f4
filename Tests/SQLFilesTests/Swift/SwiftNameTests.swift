import Testing

@testable import SquallSQLFiles

struct SwiftNameTests {
    @Test func namesBecomeLowerCamelCase() {
        let names = [
            "first_name": "firstName", "FirstName": "firstName", "ID": "id", "URLPath": "urlPath",
            "größe in m": "größeInM",
        ]
        for (name, swift) in names { #expect(SwiftName.property(name) == swift) }
        #expect(SwiftName.type("order details") == "OrderDetails")
        #expect(SwiftName.type("cheapCars") == "CheapCars")
    }

    @Test func otherScriptsAreKept() {
        #expect(SwiftName.property("имя_владельца") == "имяВладельца")
        #expect(SwiftName.property("車名") == "車名")
    }

    @Test func emojiAreKeptOnRequest() {
        #expect(SwiftName.property("🚗") == "column")
        #expect(SwiftName.property("🚗", keepingEmoji: true) == "🚗")
        #expect(SwiftName.property("my 🚗", keepingEmoji: true) == "my🚗")
    }

    @Test func namesThatAreNotIdentifiersBecomeSome() {
        #expect(SwiftName.property("2nd") == "_2nd")
        #expect(SwiftName.property("max(price)") == "maxPrice")
        #expect(SwiftName.property("", orElse: "column1") == "column1")
        #expect(SwiftName.escaped("class") == "`class`")
        #expect(SwiftName.label("in") == "in")
        #expect(SwiftName.label("inout") == "`inout`")
    }

    @Test func aNameThatIsTakenGetsANumber() {
        var names = UniqueNames(reserving: ["self"])
        #expect(["id", "ID", "self", "id"].map { names.unique($0) } == ["id", "ID2", "self2", "id3"])
    }
}
