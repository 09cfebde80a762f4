/// How much a product may declare: a surface that is larger cannot be learnt.
struct Budget {
    let declarations: Int
    /// How many names an instance of a type may be completed with.
    let completions: [String: Int]

    static func of(_ product: String) -> Budget? {
        product == "Squall" ? Budget(declarations: 1900, completions: ["Connection": 100, "Database": 60]) : nil
    }

    /// The sentences about each part of the budget that a module exceeds.
    func excesses(of face: PublicFace) -> [String] {
        var excesses: [String] = []
        if face.count > declarations { excesses.append("more than \(declarations) public declarations") }
        for (type, limit) in completions.sorted(by: { $0.key < $1.key }) {
            let count = face.completions(of: type).count
            if count > limit { excesses.append("\(type) has \(count) names, more than \(limit)") }
        }
        return excesses
    }
}
