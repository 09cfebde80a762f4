// A text editor whose lines are rows of a table: `swift run Editor`. It undoes and redoes with an `UndoHistory`.

import ExampleSupport

runExample(edit)
