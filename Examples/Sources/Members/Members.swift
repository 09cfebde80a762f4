import SQLiteORMCompatibility

// The README of SQLiteORM for Swift, with Squall's call sites: users and their types, by their properties.

struct User: Initializable {
    var id = 0
    var firstName = ""
    var lastName = ""
    var birthDate = 0
    var imageURL: String?
    var typeID = 0
}

struct UserType: Initializable {
    var id = 0
    var name = ""
}

let users = Table("users", User.self) {
    Column("id", \User.id, .primaryKey)
    Column("first_name", \User.firstName)
    Column("last_name", \User.lastName)
    Column("birth_date", \User.birthDate)
    Column("image_url", \User.imageURL)
    Column("type_id", \User.typeID)
}

let userTypes = Table("user_types", UserType.self) {
    Column("id", \UserType.id, .primaryKey)
    Column("name", \UserType.name)
}

func members() throws {
    print(users.createSQL)

    // A file and the tables in it. `":memory:"` and `""` stand for a database in memory.
    let storage = try Storage("db.sqlite", users, userTypes)
    try storage.createTables()

    // SQLite assigns the id, whatever the object contains.
    var user = User(
        id: 0, firstName: "John", lastName: "Doe", birthDate: 664_416_000, imageURL: "url_to_heaven", typeID: 3
    )
    let insertedID = try storage.insert(user)
    print("insertedId = \(insertedID)")
    user.id = Int(insertedID)

    // Keeps the id of the object.
    let secondUser = User(id: 2, firstName: "Alice", lastName: "Inwonder", birthDate: 831_168_000, typeID: 2)
    try storage.replace(secondUser)

    if let found: User = try storage.get(id: 1) {
        print("user = \(found.firstName) \(found.lastName)")
    } else {
        print("user with id 1 does not exist")
    }

    user.firstName = "Nicholas"
    user.imageURL = "https://cdn1.iconfinder.com/data/icons/man-icon-set/100/man_icon-21-512.png"
    try storage.update(user)

    let allUsers: [User] = try storage.all()
    print("allUsers (\(allUsers.count)):")
    for user in allUsers { print("\(user.id): \(user.firstName) \(user.lastName), \(user.imageURL ?? "no image")") }

    try storage.delete(user)
    print("\(try storage.count(User.self)) left")

    // All or nothing.
    struct Changed: Error {}
    do {
        try storage.transaction {
            try storage.insert(UserType(name: "guest"))
            print("\(try storage.count(UserType.self)) type in the transaction")
            throw Changed()
        }
    } catch is Changed {
        print("\(try storage.count(UserType.self)) types after it")
    }
}
