import Squall

struct User: TableRecord, Equatable {
    let id: Int64?
    let name: String
    let email: String?
    let age: Int

    static let table = Table("users", User.init) {
        Column("id", \User.id, .primaryKey)
        Column("name", \User.name)
        Column("email", \User.email, .unique)
        Column("age", \User.age, .default(0))
    }
}

struct Point: Initializable, Equatable {
    var x = 0
    var y = 0
    var label = ""
}

let points = Table("points", Point.self) {
    Column("x", \Point.x, .primaryKey)
    Column("y", \Point.y, .primaryKey)
    Column("label", \Point.label)
}
