/// A line of a `--` comment.
struct Comment: Hashable, Sendable {
    /// The text after `--`, without white space at its ends.
    let text: String
    /// The offset of the text in the file, in bytes of UTF-8.
    let offset: Int
    /// Whether nothing but white space stands before the comment in its line.
    let isOnOwnLine: Bool
}
