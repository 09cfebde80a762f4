import Testing

@testable import SquallPages

@Suite struct UnknownKindTests {
    @Test func unknownBlockIsNamed() {
        #expect(throws: UnknownKind(part: "block", name: "tabNavigator")) {
            try decode(#"{"type": "tabNavigator", "tabs": []}"#) as Block
        }
    }

    @Test func unknownBlockWithinABlockIsNamed() {
        let json = #"{"type": "aside", "style": "note", "content": [{"type": "video"}]}"#
        #expect(throws: UnknownKind(part: "block", name: "video")) { try decode(json) as Block }
    }

    @Test func unknownInlineIsNamed() {
        #expect(throws: UnknownKind(part: "inline", name: "video")) {
            try decode(#"{"type": "video", "identifier": "a.mov"}"#) as Inline
        }
    }

    @Test func unknownReferenceIsNamed() {
        #expect(throws: UnknownKind(part: "reference", name: "video")) {
            try decode(#"{"type": "video", "identifier": "a.mov"}"#) as Reference
        }
    }

    @Test func unknownSectionIsNamed() {
        #expect(throws: UnknownKind(part: "section", name: "restParameters")) {
            try decode(#"{"kind": "restParameters"}"#) as Section
        }
    }

    @Test func unknownTokenIsNamed() {
        #expect(throws: UnknownKind(part: "token", name: "operator")) {
            try decode(#"{"kind": "operator", "text": "+"}"#) as Token
        }
    }

    @Test func cellOverTwoColumnsIsNamed() {
        #expect(throws: UnknownKind(part: "table", name: "extendedData")) {
            try decode(#"{"type": "table", "header": "none", "rows": [], "extendedData": []}"#) as Block
        }
    }

    @Test func unknownPartOfAPageIsNamed() {
        let json = PageJSON.page("Squall", ancestors: "", rest: #""sampleCodeDownload": {}"#)
        #expect(throws: UnknownKind(part: "page content", name: "sampleCodeDownload")) { try decode(json) as Page }
    }

    @Test func messageNamesTheKind() {
        #expect("\(UnknownKind(part: "block", name: "video"))" == "unknown kind of block: video")
    }
}
