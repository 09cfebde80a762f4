import Foundation
import Squall

/// Returns a connection to a table `t` of 20 rows, which the caller is the only one to keep.
@inline(never)
func numbers() throws -> Connection {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t(x INTEGER, name TEXT, body BLOB)")
    for number in 1...20 {
        try connection.run("INSERT INTO t VALUES(?, ?, ?)", number, "name \(number)", Data(repeating: 7, count: 40))
    }
    return connection
}
