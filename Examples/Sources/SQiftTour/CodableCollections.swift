import Foundation
import SQiftCompatibility

func codableCollections() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    let points: ArrayBinding = [
        CGPoint(x: 1.0, y: 2.0),
        CGPoint(x: 3.0, y: 4.0),
        CGPoint(x: 5.0, y: 6.0),
        CGPoint(x: 7.0, y: 8.0),
        CGPoint(x: 9.0, y: 10.0),
    ]

    try connection.execute("CREATE TABLE stream(id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
    try connection.run("INSERT INTO stream(data) VALUES(?)", points)

    let pointsQueried: ArrayBinding<CGPoint>? = try connection.query("SELECT data FROM stream WHERE id = 1")

    pointsQueried?.elements.forEach { print("(\($0.x), \($0.y))") }
}
