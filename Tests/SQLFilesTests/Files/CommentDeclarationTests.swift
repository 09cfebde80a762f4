import Testing

@testable import SquallSQLFiles

struct CommentDeclarationTests {
    /// Reads a line, and returns the declaration in short; `prose` for none.
    private func read(_ line: String) -> String {
        switch CommentDeclaration.parse(line: line, at: SourceLocation(file: "q.sql", line: 1, column: 1)) {
        case .name(let name, let cardinality)?: "name \(name) \(cardinality.map { "\($0)" } ?? "-")"
        case .row(let row)?: "row \(row)"
        case .noScan?: "no scan"
        case .function(let function)?:
            "function \(function.name)(\(function.arguments?.map(\.described).joined(separator: ", ") ?? "...")) -> "
                + "\(function.result.described)\(function.resultIsOptional ? "?" : "")"
        case .collation(let name)?: "collation \(name)"
        case .type(let table, let key, let type)?: "\(table.map { "\($0) . " } ?? "")\(key): \(type.described)"
        case .invalid(let message)?: "error: \(message)"
        case nil: "prose"
        }
    }

    @Test func aNameCanHaveACardinality() {
        #expect(read("-- name: cheapCars") == "name cheapCars -")
        #expect(read("--name: cheapCars  :many  \r") == "name cheapCars many")
        #expect(read("  -- name: car :one") == "name car one")
        #expect(read("-- name: car :optional") == "name car optional")
        #expect(read("-- name: buy :execute") == "name buy execute")
    }

    @Test func aNameIsASwiftIdentifier() {
        for name in ["größe", "最安値", "дешёвые", "🚗", "cars🚗", "_cars", "default", "CheapCars", "e\u{301}tat"] {
            #expect(read("-- name: \(name)") == "name \(name) -")
        }
        #expect(read("-- name:") == "error: 'name' has no value: write -- name: cheapCars")
        for name in ["1car", "cheap-cars", "cars:many", "_", "a$", "`default`", "☀", "\u{301}a", "a.b"] {
            #expect(
                read("-- name: \(name)")
                    == "error: '\(name)' is not the name of a Swift function: write -- name: cheapCars")
        }
        let kinds = "which is one of :many, :one, :optional, :execute"
        #expect(read("-- name: cheap cars") == "error: 'cars' is not the number of rows, \(kinds)")
        #expect(read("-- name: cars :all") == "error: ':all' is not the number of rows, \(kinds)")
        #expect(read("-- name: cars :many rows") == "error: ':many rows' is not the number of rows, \(kinds)")
    }

    @Test func aTypeIsDeclaredForAColumnOrAParameter() {
        #expect(read("-- limit: Int") == "limit: Int")
        #expect(read("-- :limit: Int") == ":limit: Int")
        #expect(read("-- @limit: Int") == ":limit: Int")
        #expect(read("-- $limit: Int") == ":limit: Int")
        #expect(read(#"-- "owner.name": String?"#) == "owner.name: String?")
        #expect(read(#"-- "a ""b"": c": String"#) == #"a "b": c: String"#)
        #expect(read("-- orders.placed: Date") == "orders . placed: Date")
        #expect(read(#"-- "all orders"."placed": Date"#) == "all orders . placed: Date")
        #expect(read("-- größe: Double") == "größe: Double")
        #expect(read("-- limit:Int") == "limit: Int")
    }

    @Test func aTypeIsAnyNameOfASwiftType() {
        for type in [
            "Int", "Int?", "Int!", "[String]", "[String: Int]", "[String: [Int?]]?", "Set<Tag>", "Set<Tag>!",
            "Module.Status", "Module.Box<Tag, [Int]>.Kind?", "Größe", "Int8",
        ] { #expect(read("-- x: \(type)") == "x: \(type)") }
        #expect(read("-- x: [ String:Int ]") == "x: [String: Int]")
        #expect(read("-- x: Dictionary<String,Int>") == "x: Dictionary<String, Int>")
    }

    @Test func aTypeCanHaveAFormOfStorage() {
        #expect(read("-- placed: Date? as unixMilliseconds") == "placed: Date? as unixMilliseconds")
        #expect(read("-- placed: Date as unixTime") == "placed: Date as unixTime")
        #expect(read("-- placed: Date! as julianDay") == "placed: Date! as julianDay")
        #expect(read("-- tags: [String: Int] as json") == "tags: [String: Int] as json")
        let forms = "which is one of unixTime, unixMilliseconds, julianDay, json"
        #expect(read("-- placed: Date as seconds") == "error: 'seconds' is not a form of storage, \(forms)")
        #expect(read("-- placed: Date as") == "error: '' is not a form of storage, \(forms)")
        #expect(read("-- placed: Date as direct") == "error: 'direct' is not a form of storage, \(forms)")
    }

    @Test func otherCommentsAreProse() {
        for line in [
            "-- Returns the cheap cars.", "--", "-- ", "-- note: the price is in cents", "-- see: https://sqlite.org",
            "-- https://sqlite.org", "-- Cars: Those that are cheap", "-- limit: Int at most", "-- limit : Int",
            "-- price: Double precision of the sum", "-- the limit: Int", "-- 10:30", "-- a::b", "-- example: x = 1",
            "-- todo: later", "-- :limit: the number of rows", "-- [1]: a reference", "-- \"open: Int",
            "-- date: today",
            "SELECT 1 -- limit: Int", "-- Plan: first the index, then the table",
        ] { #expect(read(line) == "prose", "\(line)") }
    }

    @Test func aTypeOfSQLIsCorrected() {
        #expect(read("-- limit: int") == "error: the type 'int' is unknown: write Int")
        #expect(read("-- name_: text?") == "error: the type 'text?' is unknown: write String?")
        #expect(read("-- :limit: integer") == "error: the type 'integer' is unknown: write Int")
        #expect(
            read("-- :limit: status")
                == "error: 'status' is not a Swift type, which begins with a capital letter or with [")
    }

    @Test func aTypeWithAWrongSignIsNotProse() {
        for type in ["Int??", "Int!?", "Set<Tag", "Set<tag>", "Int;", "Int,", "[Int]]", "Set<>"] {
            #expect(
                read("-- x: \(type)")
                    == "error: '\(type)' is not a Swift type, such as Int, String? or [String: Int]")
        }
    }

    @Test func rowsAndPlansHaveFixedForms() {
        #expect(read("-- row: Car") == "row Car")
        #expect(read("-- plan: no scan") == "no scan")
        #expect(read("-- row:") == "error: 'row' has no value: write -- row: Car")
        #expect(read("-- row: car") == "error: 'car' is not the name of a Swift type: write -- row: Car")
        #expect(
            read("-- row: Module.Car") == "error: 'Module.Car' is not the name of a Swift type: write -- row: Car; "
                + "the type of a column of this name is declared in quotes: -- \"row\": Module.Car")
        #expect(read("-- plan: fast") == "error: 'fast' is not a property of a plan: write -- plan: no scan")
        #expect(
            read("-- plan: String") == "error: 'String' is not a property of a plan: write -- plan: no scan; "
                + "the type of a column of this name is declared in quotes: -- \"plan\": String")
        #expect(read(#"-- "plan": String"#) == "plan: String")
    }

    @Test func functionsAndCollationsAreDeclared() {
        #expect(
            read("-- function: distance(Double, Double) -> Double?")
                == "function distance(Double, Double) -> Double?")
        #expect(read("-- function: now() -> Date as unixTime") == "function now() -> Date as unixTime")
        #expect(read("-- function: concat(...) -> String") == "function concat(...) -> String")
        #expect(
            read("-- function: find([String: Int], Date? as julianDay)->Int")
                == "function find([String: Int], Date as julianDay) -> Int")
        let example = "write -- function: distance(Double, Double) -> Double?"
        for text in [
            "distance(Double)", "distance", "f(double) -> Int", "f(Int,) -> Int", "f(Int) -> Int!", "1(Int) -> Int",
        ] {
            #expect(read("-- function: \(text)") == "error: '\(text)' is not a function: \(example)")
        }
        #expect(read("-- collation: german") == "collation german")
        #expect(
            read("-- collation: german de")
                == "error: 'german de' is not the name of a collation: write -- collation: german")
    }

    @Test func aMisspelledKeywordIsNotProse() {
        #expect(read("-- nmae: cheapCars") == "error: unknown declaration 'nmae': write -- name: cheapCars")
        #expect(read("-- nam: cheapCars :one") == "error: unknown declaration 'nam': write -- name: cheapCars :one")
        #expect(read("-- Name: cheapCars") == "error: unknown declaration 'Name': write -- name: cheapCars")
        #expect(read("-- query: cars :many") == "error: unknown declaration 'query': write -- name: cars :many")
        #expect(read("-- plna: no scan") == "error: unknown declaration 'plna': write -- plan: no scan")
        #expect(read("-- colation: german") == "error: unknown declaration 'colation': write -- collation: german")
        #expect(
            read("-- funtion: f(Int) -> Int")
                == "error: unknown declaration 'funtion': write -- function: f(Int) -> Int")
        #expect(read("-- note: cheap") == "prose")
    }

    @Test func aDeclarationHasThePlaceOfItsKey() throws {
        let place = SourceLocation(file: "q.sql", line: 3, column: 5)
        guard case .type(_, _, let type)? = CommentDeclaration.parse(line: "--  limit: Int", at: place) else {
            Issue.record("no type")
            return
        }
        #expect(type.location.description == "q.sql:3:9")
    }
}
