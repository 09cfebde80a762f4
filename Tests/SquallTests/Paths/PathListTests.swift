import SquallStore
import Foundation
import Testing

/// Each public verb that reads or writes values is in the matrix of paths, or has its place named here.
struct PathListTests {
    /// Where a verb is tried with every type.
    private enum Place {
        case waysIn([FormWayIn])
        case waysOut([FormWayOut])
        case values([ValueWay])
        case conditions([ConditionWay])
        case stores([StoreWay])
        /// Elsewhere, for a reason.
        case elsewhere(String)
    }

    private static let verbs: [String: [Place]] = [
        "Connection.all": [.waysOut([.all, .allWhere, .allOfTable, .allOfQuery, .sql])],
        "Connection.find": [.waysOut([.find, .findInTable, .findByKey, .findKeys]), .values([.find, .findKeys])],
        "Connection.first": [.waysOut([.first, .firstOfQuery, .firstOfSQL])],
        "Connection.forEach": [.waysOut([.forEach, .forEachOfQuery])],
        "Connection.rows": [.waysOut([.rows, .rowsOfSQL])],
        "Connection.page": [.waysOut([.page])],
        "Connection.query": [.values([.parameter, .optionalParameter, .listed, .named])],
        "Connection.prepare": [.values([.prepared, .statement])],
        "Connection.run": [.values([.parameterOfRun])],
        "Connection.insert": [.waysIn([.insert, .insertIntoTable, .insertOrIgnore, .insertMany, .upsertMany])],
        "Connection.insertReturning": [.waysIn([.insertReturning])],
        "Connection.prepareInsert": [.waysIn([.preparedRecord, .preparedValues])],
        "Connection.replace": [.waysIn([.replace, .replaceMany])],
        "Connection.update": [.waysIn([.update, .updateColumns, .updateChangedFrom, .set]), .values([.updateValues])],
        "Connection.updateReturning": [.waysIn([.setReturning]), .waysOut([.updateReturning])],
        "Connection.upsert": [.waysIn([.upsert, .upsertSetting]), .values([.upsertValues])],
        "Connection.delete": [.conditions([.delete])],
        "Connection.deleteReturning": [.waysOut([.deleteReturning])],
        "Connection.count": [.conditions([.count])],
        "Connection.exists": [.conditions([.exists])],
        "Connection.table": [.elsewhere("gives the verbs of a table, which the forms by type call")],
        "Connection.withTable": [.waysIn([.tableOfRecords])],
        "Connection.addFunction": [.values([.function, .optionalFunction])],
        "Connection.addAggregate": [.values([.aggregate])],
        "Connection.addTableFunction": [.values([.tableFunction, .tableOfTuples, .tableOfArrays])],
        "Connection.select": [.elsewhere("by the names of columns, with the reading of `query`")],
        "Connection.average": [.elsewhere("of numbers alone: aggregates of a column")],
        "Connection.sum": [.elsewhere("of numbers alone: aggregates of a column")],
        "Connection.total": [.elsewhere("of numbers alone: aggregates of a column")],
        "Connection.min": [.elsewhere("selects `$0.value.min()`: aggregates of a column")],
        "Connection.max": [.elsewhere("selects `$0.value.max()`: aggregates of a column")],
        "Connection.groupConcat": [.elsewhere("of text alone: aggregates of a column")],
        "Connection.addWindowFunction": [.elsewhere("its result is that of an aggregate")],
        "Connection.addSearchFunction": [.elsewhere("its result is that of a function; FTS5 gives it text alone")],
        "Connection.create": [.elsewhere("every test of the matrix creates its table")],
        "Connection.plan": [.elsewhere("gives no values")],
        "Connection.explainQueryPlan": [.elsewhere("gives no values")],
        "Statement.bind": [.values([.statement, .statementContents])],
        "Statement.query": [.values([.prepared])],
        "PreparedRecordInsert.run": [.waysIn([.preparedRecord])],
        "StoreConnection.all": [.stores([.all, .allOfQuery])],
        "StoreConnection.count": [.stores([.count, .countOfQuery])],
        "StoreConnection.delete": [.stores([.delete, .deleteWhere])],
        "StoreConnection.exists": [.stores([.exists, .existsInQuery])], "StoreConnection.find": [.stores([.find])],
        "StoreConnection.first": [.stores([.first, .firstOfQuery])], "StoreConnection.forEach": [.stores([.forEach])],
        "StoreConnection.insert": [.stores([.insert, .insertMany])],
        "StoreConnection.query": [.stores([.query, .queryOfValues, .queryWithList, .rows])],
        "StoreConnection.run": [.stores([.run, .runWithList])],
        "StoreConnection.update": [.stores([.update, .updateColumns, .set])],
        "StoreConnection.upsert": [.stores([.upsert])],
        "StoreConnection.table": [.elsewhere("gives the verbs of a table, which the forms by type call")],
        "StoreConnection.once": [.elsewhere("stores its result as JSON")],
        "StoreConnection.decode": [.elsewhere("reads the result of `once`")],
        "SQLStore.write": [.elsewhere("stores its result as JSON")],
        "Database.write": [.elsewhere("stores its result as JSON")],
        "Database.observe": [.elsewhere("runs `query` or `find` on a connection")],
    ]

    /// The conditions of a column.
    private static let conditions: [String: [Place]] = [
        "==": [.conditions([.equal, .equalOnTheLeft, .joined])], "!=": [.conditions([.unequal])],
        "<": [.conditions([.less, .greaterOrEqual])], "<=": [.conditions([.lessOrEqual, .lessOnTheLeft])],
        ">": [.conditions([.greater])], ">=": [.conditions([.greaterOrEqual])],
        "between": [.conditions([.between])], "in": [.conditions([.inList, .inEmptyList])],
        "isIn": [.conditions([.inSubquery])], "isNull": [.conditions([.isNull])],
        "isNotNull": [.conditions([.isNotNull])], "isSame": [.conditions([.same, .sameOnBothSides])],
        "isEmpty": [.elsewhere("of text and bytes alone")], "like": [.elsewhere("of text alone")],
        "glob": [.elsewhere("of text alone")], "isTrue": [.elsewhere("of Bool alone")],
        "isFalse": [.elsewhere("of Bool alone")], "contains": [.elsewhere("of JSON and of text: TextPartTests")],
        "hasPrefix": [.elsewhere("of text alone: TextPartTests")],
        "hasSuffix": [.elsewhere("of text alone: TextPartTests")],
    ]

    /// The words that only the declaration of a verb of values has.
    private static let words = [
        "StatementParameter", "ParameterList", "TableRecord", "RecordTable", "some Selection", "QueryResult",
        "ColumnValues",
        "Fetchable", "RowElement", "Decodable", "(any Bindable)", "Settable", "Columns<", "Record)", "Record]",
    ]

    private static func declarations() throws -> [(owner: String, text: String)] {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        let folder = root.deletingLastPathComponent().appendingPathComponent("API")
        let modules = ["Squall", "SquallChanges", "SquallSearch", "SquallStore"]
        let lines = try modules.flatMap { module in
            try String(contentsOf: folder.appendingPathComponent("\(module).txt"), encoding: .utf8).split(
                separator: "\n")
        }
        return lines.compactMap { line in
            guard let end = line.range(of: " | ") else { return nil }
            let owner = line[..<end.lowerBound].prefix { $0 != " " }
            return (String(owner), String(line[end.upperBound...]))
        }
    }

    private static func name(of declaration: String, after keyword: String) -> String? {
        guard let start = declaration.range(of: "\(keyword) ") else { return nil }
        let name = declaration[start.upperBound...].prefix {
            !" (:".contains($0) && !($0 == "<" && keyword != "func <")
        }
        return name.replacing("`", with: "").components(separatedBy: "<").first { !$0.isEmpty } ?? String(name)
    }

    @Test func everyVerbOfValuesIsInThePaths() throws {
        let types: Set<String> = [
            "Connection", "Statement", "PreparedInsert", "PreparedRecordInsert", "StoreConnection", "SQLStore",
            "Database",
        ]
        // The forms by type, as `Connection.all`, call those of the table.
        let access = ["Connection.TableAccess": "Connection", "StoreConnection.TableAccess": "StoreConnection"]
        let found = Set(
            try Self.declarations().map { (owner: access[$0.owner] ?? $0.owner, text: $0.text) }
                .filter { types.contains($0.owner) && $0.text.contains("func ") }
                .filter { declaration in Self.words.contains { declaration.text.contains($0) } }
                .compactMap { declaration in
                    Self.name(of: declaration.text, after: "func").map { "\(declaration.owner).\($0)" }
                })
        #expect(found.subtracting(Self.verbs.keys).sorted() == [], "verbs without a path")
        #expect(Set(Self.verbs.keys).subtracting(found).sorted() == [], "paths without a verb")
    }

    @Test func everyConditionIsInThePaths() throws {
        let found = Set(
            try Self.declarations().filter {
                $0.owner == "Expr" && ($0.text.contains("-> Condition") || $0.text.contains(": Condition {"))
            }
            .compactMap { declaration -> String? in
                let text = declaration.text
                guard let start = text.range(of: "func ") ?? text.range(of: "var ") else { return nil }
                let name = text[start.upperBound...].prefix { !"(: ".contains($0) }
                let isOperator = name.first.map { "<>=!".contains($0) } ?? false
                return isOperator
                    ? String(name) : name.replacing("`", with: "").components(separatedBy: "<").first
            })
        #expect(found.subtracting(Self.conditions.keys).sorted() == [], "conditions without a path")
        #expect(Set(Self.conditions.keys).subtracting(found).sorted() == [], "paths without a condition")
    }
}
