// The form in which a hub sends a refusal: {"refusal":"version","hub":3}, {"refusal":"origin"}, {"refusal":"missing","after":7},
// {"refusal":"reused"}, {"refusal":"batch","message":"…"}.

extension SyncRefusal {
    private enum Kind: String, Codable { case version, origin, missing, reused, batch }

    private enum CodingKeys: CodingKey { case refusal, hub, after, message }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Kind.self, forKey: .refusal) {
            case .version: .version(hub: try container.decode(Int.self, forKey: .hub))
            case .origin: .origin
            case .missing: .missing(after: try container.decode(Int64.self, forKey: .after))
            case .reused: .reused
            case .batch: .batch(try container.decode(String.self, forKey: .message))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .version(let hub):
            try container.encode(Kind.version, forKey: .refusal)
            try container.encode(hub, forKey: .hub)
        case .origin: try container.encode(Kind.origin, forKey: .refusal)
        case .missing(let number):
            try container.encode(Kind.missing, forKey: .refusal)
            try container.encode(number, forKey: .after)
        case .reused: try container.encode(Kind.reused, forKey: .refusal)
        case .batch(let message):
            try container.encode(Kind.batch, forKey: .refusal)
            try container.encode(message, forKey: .message)
        }
    }
}
