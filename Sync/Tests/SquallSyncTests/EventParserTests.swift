import Foundation
import SquallChanges
import Testing

@testable import SquallSync

/// Server-Sent Events, as the HTML standard has them.
@Suite struct EventParserTests {
    private func events(_ text: String) throws -> [EventParser.Event] {
        let bytes = Array(text.utf8)
        var parser = EventParser()
        let events = try parser.events(in: bytes)
        // The same in parts of each size, which may end within a character.
        for size in 1...7 {
            var parser = EventParser()
            var parts: [EventParser.Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                parts += try parser.events(in: bytes[start..<min(start + size, bytes.count)])
            }
            #expect(parts == events, "in parts of \(size) bytes")
        }
        return events
    }

    private func event(_ name: String = "", id: String = "", _ data: String = "") -> EventParser.Event {
        EventParser.Event(name: name, id: id, data: data)
    }

    @Test func linesEndInThreeWays() throws {
        for end in ["\n", "\r", "\r\n"] {
            let lines = [
                "id: a:1", "event: changes", "data:", "", ": comment", "id:a:2", "data: ä€😀", "data:  b", "", "",
            ]
            #expect(
                try events(lines.joined(separator: end))
                    == [event("changes", id: "a:1"), event(id: "a:2", "ä€😀\n b")])
        }
    }

    @Test func anEventHasData() throws {
        #expect(try events("event: a\n\nevent: b\ndata\n\n") == [event("b")])
        // The last id stays.
        #expect(try events("id: 7\n\ndata: x\n\n") == [event(id: "7", "x")])
        #expect(try events("data: not ended\n") == [])
    }

    @Test func otherLinesAreNotRead() throws {
        #expect(try events("\u{feff}data: a\nretry: 10\nother\n:\ndata : b\nid: x\u{0}y\n\n") == [event("", "a")])
    }

    @Test func whatIsNotTextIsAnError() {
        var parser = EventParser()
        #expect(throws: SyncHTTPError.malformedEvents) { try parser.events(in: [0x64, 0xff, 0x0a]) }
        var other = EventParser()
        #expect(throws: SyncHTTPError.malformedEvents) { try other.events(in: repeatElement(0x61, count: 70_000)) }
    }

    @Test func aPositionIsText() throws {
        for text in ["a:0", "a-b_c.d~:9223372036854775807", "%C3%A4%20%3A%25:7"] {
            #expect(try #require(SyncCursor(text: text)).text == text)
        }
        #expect(SyncCursor(text: "%C3%A4%20%3A%25:7")?.log == "ä :%")
        let others = [
            "", ":", "a", "a:", ":1", "a:-1", "a:+1", "a:1:2", "ä:1", "a%2:1", "a%zz:1", "%FF:1",
            "a:9223372036854775808",
        ]
        for text in others {
            #expect(SyncCursor(text: text) == nil, "\(text)")
        }
    }

    @Test func aRefusalIsJSON() throws {
        for (refusal, text) in [
            (SyncRefusal.version(hub: 3), #"{"hub":3,"refusal":"version"}"#), (.origin, #"{"refusal":"origin"}"#),
            (.batch("x"), #"{"message":"x","refusal":"batch"}"#),
        ] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            #expect(String(decoding: try encoder.encode(refusal), as: UTF8.self) == text)
            #expect(try JSONDecoder().decode(SyncRefusal.self, from: Data(text.utf8)) == refusal)
        }
    }
}
