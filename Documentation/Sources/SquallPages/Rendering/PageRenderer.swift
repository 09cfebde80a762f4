/// Writes a page of the archive as HTML.
struct PageRenderer {
    let page: Page
    let path: PagePath
    /// The topics of the pages of the archive, for the abstracts of other pages: DocC does not list their links here.
    let topics: [String: Topic]

    /// Returns the content of the page, from its heading to the pages to see also.
    func content() -> [HTML] {
        let text = sections() + topicGroups() + relationships() + seeAlso()
        return header() + declarations() + outline(of: text) + text
    }

    func reference(_ identifier: String) -> Reference? {
        page.references[identifier] ?? topics[identifier].map(Reference.topic)
    }

    /// The language of a listing for which the author named none: an indented block in a doc comment is Swift.
    var defaultLanguage: String? {
        page.kind == .symbol ? "swift" : nil
    }
}
