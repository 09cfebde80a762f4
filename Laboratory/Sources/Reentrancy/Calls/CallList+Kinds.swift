import Squall

// The objects that calls are made on. They are made before the situation begins.

extension CallList {
    /// A call of the connection of the ground.
    mutating func connection(
        _ name: String, _ body: @escaping @Sendable (Connection) throws -> Void
    ) {
        add(name, .connection) { scene, inSituation in
            let connection = try scene.requireConnection()
            try inSituation { try body(connection) }
        }
    }

    /// A call of the connection of the ground that needs the scene.
    mutating func connectionAndScene(
        _ name: String,
        _ body: @escaping @Sendable (Connection, Scene) throws -> Void
    ) {
        add(name, .connection) { scene, inSituation in
            let connection = try scene.requireConnection()
            try inSituation { [unowned scene] in try body(connection, scene) }
        }
    }

    /// A call of an object that is made with the connection of the ground.
    mutating func object<Object>(
        _ name: String, holding: Call.Holding = .nothing,
        _ make: @escaping @Sendable (Connection) throws -> Object,
        _ body: @escaping @Sendable (Object) throws -> Void
    ) {
        add(name, .connection, holding: holding) { scene, inSituation in
            let object = try make(scene.requireConnection())
            try inSituation { try body(object) }
        }
    }

    /// A call of the database of the ground.
    mutating func database(
        _ name: String,
        _ body: @escaping @Sendable (Database, Scene) throws -> Void
    ) {
        add(name, .database) { scene, inSituation in
            let database = try scene.requireDatabase()
            try inSituation { [unowned scene] in try body(database, scene) }
        }
    }

    /// An asynchronous call of the database of the ground: a task that begins in the situation.
    mutating func task(
        _ name: String,
        _ body: @escaping @Sendable (Database, Scene) async throws -> Void
    ) {
        database(name) { database, scene in
            scene.startTask { [unowned scene] in try await body(database, scene) }
        }
    }

    /// A call of an object that is made with the database of the ground, before the ground is entered.
    mutating func shared<Object: Sendable>(
        _ name: String,
        _ make: @escaping @Sendable (Database) throws -> Object,
        _ body: @escaping @Sendable (Object, Scene) throws -> Void
    ) {
        add(name, .database) { scene, inSituation in
            let database = try scene.requireDatabase()
            // On another thread, because some objects cannot be made in a closure of their database.
            let object = try scene.makeOnOtherThread { try make(database) }
            try inSituation { [unowned scene] in try body(object, scene) }
        }
    }

    mutating func sharedTask<Object: Sendable>(
        _ name: String,
        _ make: @escaping @Sendable (Database) throws -> Object,
        _ body: @escaping @Sendable (Object, Scene) async throws -> Void
    ) {
        shared(name, make) { object, scene in
            scene.startTask { [unowned scene] in try await body(object, scene) }
        }
    }
}

extension Scene {
    /// Makes an object on another thread.
    func makeOnOtherThread<Object>(_ make: @escaping () throws -> Object) throws -> Object {
        var result: Result<Object, any Error> = .failure(SceneError("nothing was made"))
        onOtherThread { result = Result { try make() } }
        return try result.get()
    }
}
