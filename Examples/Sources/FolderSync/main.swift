// Two databases that are synchronised through a folder of files: `swift run FolderSync`.

import ExampleSupport
import Foundation
import Squall

runExample {
    let folder = URL(filePath: "shared")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var (phone, laptop) = (try Replica("phone"), try Replica("laptop"))

    func exchange() throws {
        try phone.send(to: folder)
        try laptop.send(to: folder)
        try phone.receive(from: folder)
        try laptop.receive(from: folder)
    }

    print("The phone writes two notes:")
    try phone.write("INSERT INTO notes VALUES('a', 'Buy milk', 1), ('b', 'Call Ann', 1)")
    try exchange()

    print("Both change the same note, and the laptop is later:")
    try phone.write("UPDATE notes SET text = 'Buy oat milk', updated_at = 2 WHERE id = 'a'")
    try laptop.write("UPDATE notes SET text = 'Buy two milks', updated_at = 3 WHERE id = 'a'")
    try exchange()

    print("The phone deletes a note that the laptop changes:")
    try phone.write("DELETE FROM notes WHERE id = 'b'")
    try laptop.write("UPDATE notes SET text = 'Call Ann at 5', updated_at = 4 WHERE id = 'b'")
    try exchange()

    print("The laptop deletes a note:")
    try laptop.write("DELETE FROM notes WHERE id = 'a'")
    try exchange()

    print("The phone deletes a note, to which the laptop gives a tag:")
    try phone.write("INSERT INTO notes VALUES('c', 'Pay rent', 5)")
    try exchange()
    try phone.write("DELETE FROM notes WHERE id = 'c'")
    try laptop.write("INSERT INTO tags VALUES('c', 'money', 6)")
    try exchange()
    try exchange()

    print("Tags are given up:")
    try phone.dropTags()
    try laptop.dropTags()
    try exchange()
    try phone.compact()
    try laptop.compact()

    print("phone: \(try phone.notes())")
    print("laptop: \(try laptop.notes())")
    for replica in [phone, laptop] { try replica.database.blocking.close() }
}
