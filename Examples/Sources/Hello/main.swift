// The smallest program. `make size` builds it with everything inside, and checks how large it is.

import Squall

let connection = try Connection(":memory:")
try connection.execute("CREATE TABLE greetings(text TEXT); INSERT INTO greetings VALUES('Hello')")
let greeting: String = try connection.query("SELECT text FROM greetings")
print(greeting)
