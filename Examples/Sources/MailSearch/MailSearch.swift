import Squall
import SquallSearch

// A search over mails: words while they are typed, phrases, other languages, and a rank that prefers new mails.

struct Mail: Searchable {
    let id: Int64?
    let sender: String
    let subject: String
    let body: String?
    let day: Int

    static let table = Table("mails", Mail.init) {
        Column("id", \Mail.id, .primaryKey)
        Column("sender", \Mail.sender)
        Column("subject", \Mail.subject)
        Column("body", \Mail.body)
        Column("day", \Mail.day)
    }
    static let searchTable = SearchTable(
        "mails_search", of: table, columns: \.subject, \.body, unindexed: [\.day], tokenizer: .cjk, prefixes: [2, 3])
}

private let mails = [
    Mail(
        id: nil, sender: "ada", subject: "Engine", body: "Notes on the analytical engine, and a table of numbers.",
        day: 1),
    Mail(id: nil, sender: "grace", subject: "Compiler", body: "The compiler reads names, and writes numbers.", day: 5),
    Mail(id: nil, sender: "haruka", subject: "会議の予定", body: "来週の会議は東京で開きます。", day: 6),
    Mail(id: nil, sender: "minjun", subject: "데이터베이스", body: "전문 검색을 시험했습니다.", day: 7),
    Mail(
        id: nil, sender: "ada", subject: "Re: Engine", body: "The engine computes numbers. Engines do not tire.", day: 9
    ),
    Mail(id: nil, sender: "zoë", subject: "Crème brûlée", body: nil, day: 9),
]

func mailSearch() throws {
    let connection = try Connection("mails.db")
    try connection.create(Mail.table)
    try connection.create(Mail.searchTable)
    try connection.insert(contentsOf: mails)

    func show(_ title: String, _ query: Query<SearchColumns<Mail>>) throws {
        print(title)
        let rows = try connection.all(
            query.select {
                ($0.sender, $0.highlight(\.subject, around: "[", "]"), $0.snippet(\.body, around: "[", "]", tokens: 7))
            })
        for (sender, subject, body) in rows { print("    \(sender): \(subject)\(body.map { " – \($0)" } ?? "")") }
    }

    try show("numbers, the best first", Mail.search(.allWords("numbers")).order { $0.rank })
    try show("eng, while it is typed", Mail.search(.allWords("eng", lastIsPrefix: true)).order { $0.bm25(10, 1) })
    try show("the phrase \"analytical engine\"", Mail.search(.phrase("analytical engine")))
    try show("会議", Mail.search(.allWords("会議")))
    try show("京, one character", Mail.search(.allWords("京")))
    try show("검색", Mail.search(.allWords("검색")))
    try show("creme brulee", Mail.search(.allWords("creme brulee")))
    try show("engine, without those of day 1", Mail.search("engine").where { $0.day > 1 })
    try show("what nobody wrote: \"AND ( NOT", Mail.search(.allWords("\"AND ( NOT")))

    // New mails first: the day makes the rank better.
    try connection.addRankingFunction("recency") { match in
        match.bm25() * Double(try match.column(2, as: Int.self))
    }
    try show(
        "numbers, with the new ones before",
        Mail.search(.allWords("numbers")).order { Expr<Double>("recency(\($0.searchTable))") })

    // The triggers keep the index in step.
    try connection.update("mails", set: ["body": "It works with letters too."], where: "id = 2")
    try show("numbers, after a change", Mail.search(.allWords("numbers")))
    try connection.integrityCheck(Mail.searchTable)
    print("the index fits the text")
}
