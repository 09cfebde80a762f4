import Foundation

/// The bytes of a file, in chunks.
struct FileChunks: AsyncSequence, Sendable {
    let path: String
    let size = 65_536

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: FileChunks
        private var file: FileHandle?

        init(chunks: FileChunks) {
            self.chunks = chunks
        }

        mutating func next() async throws -> Data? {
            if file == nil { file = try FileHandle(forReadingFrom: URL(filePath: chunks.path)) }
            return try file?.read(upToCount: chunks.size)
        }
    }
}
