// Tokenizers, functions, R*Trees and vectors of SquallSearch: `swift run SearchTour`. MailSearch is a whole search.

import ExampleSupport
import Squall

runExample {
    for (title, part) in [
        ("Tokenizers", compareTokenizers), ("Synonyms", findSynonyms), ("Functions of a match", useMatchFunctions),
        ("Search tables that change", changeSearchTables), ("Rooms", findRooms), ("Regions", searchRegions),
        ("Vectors", compareVectors),
    ] as [(String, (Connection) throws -> Void)] {
        print("\(title):")
        try part(Connection(":memory:"))
    }
}
