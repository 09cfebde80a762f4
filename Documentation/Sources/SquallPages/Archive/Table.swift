/// A table: rows of cells, each of which contains blocks.
struct Table: Equatable, Sendable, Decodable {
    let header: Header
    let rows: [[[Block]]]
    let alignments: [Alignment]

    enum Header: String, Sendable {
        case row, column, both, none
    }

    enum Alignment: String, Sendable {
        case left, right, center, unset
    }

    private enum CodingKeys: String, CodingKey {
        case header, rows, alignments
    }

    init(header: Header, rows: [[[Block]]], alignments: [Alignment] = []) {
        self.header = header
        self.rows = rows
        self.alignments = alignments
    }

    init(from decoder: any Decoder) throws {
        // A cell over several columns or rows is in `extendedData`, which is not written.
        try decoder.rejectKeys(of: "table", except: ["type", "header", "rows", "alignments", "metadata"])
        let container = try decoder.container(keyedBy: CodingKeys.self)
        header = try container.decodeKind("table header", forKey: .header)
        rows = try container.decode([[[Block]]].self, forKey: .rows)
        alignments = try (container.decodeIfPresent([String].self, forKey: .alignments) ?? []).map { name in
            guard let alignment = Alignment(rawValue: name) else {
                throw UnknownKind(part: "table alignment", name: name)
            }
            return alignment
        }
    }
}
