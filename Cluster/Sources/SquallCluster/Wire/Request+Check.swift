import Squall

extension Request {
    /// Checks what a node would misread: a zero byte in a text, and a message larger than the limit.
    func check(limit: Int) throws(ClusterError) {
        switch self {
        case .open(let name), .dump(let name): try Self.check(name, .name)
        case .add(_, let address): try Self.check(address, .address)
        case .prepare(let sql), .executeSQL(let sql, _), .querySQL(let sql, _): try Self.check(sql, .sql)
        default: break
        }
        try Self.check(values)
        let size = approximateSize
        guard size <= limit else { throw .requestTooLarge(size: size, limit: limit) }
    }

    static func check(_ text: String, _ place: ClusterError.TextPlace) throws(ClusterError) {
        if text.utf8.contains(0) { throw .zeroByte(in: place) }
    }

    static func check(_ values: [BindingValue]) throws(ClusterError) {
        for (index, value) in values.enumerated() {
            switch value {
            case .text(let text): try check(text, .value(index: index))
            case .malformedText(let bytes) where bytes.contains(0): throw .zeroByte(in: .value(index: index))
            default: break
            }
        }
    }

    /// The size of the message, to within a word for each field.
    private var approximateSize: Int {
        let text =
            switch self {
            case .open(let text), .dump(let text), .add(_, let text), .prepare(let text), .executeSQL(let text, _),
                .querySQL(let text, _):
                text.utf8.count
            default: 0
            }
        return Self.size(of: values) + text + 24
    }

    static func size(of values: [BindingValue]) -> Int {
        values.reduce(0) { size, value in
            switch value {
            case .text(let text): size + text.utf8.count + 9
            case .blob(let blob): size + blob.count + 17
            case .malformedText(let bytes): size + bytes.count + 9
            default: size + 9
            }
        }
    }
}
