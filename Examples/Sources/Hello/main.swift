// The smallest program. `make size` links it statically and checks its size.

import Squall

let connection = try Connection(":memory:")
try connection.execute("CREATE TABLE greetings(text TEXT); INSERT INTO greetings VALUES('Hello')")
let greeting: String = try connection.query("SELECT text FROM greetings")
print(greeting)
