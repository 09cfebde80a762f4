/// Reads Server-Sent Events from bytes that arrive in any parts.
struct EventParser {
    struct Event: Equatable {
        var name = ""
        var id = ""
        var data: String?
    }

    /// More bytes in a line are not an event of a hub.
    private static let longestLine = 65_536

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the last byte was a CR, of which a LF that follows is a part.
    private var endsWithCR = false
    private var event = Event()

    /// Returns the events that end in these bytes.
    mutating func events(in bytes: some Sequence<UInt8>) throws -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { endsWithCR = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where endsWithCR: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = try endLine() { events.append(event) }
            default:
                if line.count == Self.longestLine { throw SyncHTTPError.malformedEvents }
                line.append(byte)
            }
        }
        return events
    }

    /// Returns the event that an empty line ends.
    private mutating func endLine() throws -> Event? {
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty {
            defer { event = Event(id: event.id) }
            return event.data == nil ? nil : event
        }
        let text = String(decoding: line, as: UTF8.self)
        guard text.utf8.elementsEqual(line) else { throw SyncHTTPError.malformedEvents }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : Substring().utf8
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(parts[0]) {
        case "event": event.name = String(value) ?? ""
        case "id" where !value.contains(0): event.id = String(value) ?? ""
        case "data": event.data = (event.data.map { $0 + "\n" } ?? "") + (String(value) ?? "")
        default: break
        }
        return nil
    }
}
