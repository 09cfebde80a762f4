import Foundation
import SquallBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answers to the requests of a session, in the parts in which they arrive. On Linux, `URLSession` has no other way to read a stream.
final class HTTPParts: NSObject, URLSessionDataDelegate {
    enum Part: Sendable {
        case head(HTTPURLResponse)
        case body(Data)
    }

    typealias Stream = AsyncThrowingStream<Part, any Error>

    private struct Answer {
        let stream: Stream.Continuation
        /// The number of bytes that may have arrived without having been read: a session does not slow down the server.
        let limit: Int
        var unread = 0
    }

    private let answers = Locked<[Int: Answer]>([:])

    /// Starts a task, which ends when the stream is not read any more, or when too many bytes are unread.
    func start(_ task: URLSessionDataTask, limit: Int) -> Stream {
        let (stream, continuation) = Stream.makeStream()
        answers.withLock { $0[task.taskIdentifier] = Answer(stream: continuation, limit: limit) }
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        return stream
    }

    /// Counts bytes that were read.
    func didRead(_ count: Int, of task: URLSessionTask) {
        answers.withLock { $0[task.taskIdentifier]?.unread -= count }
    }

    private func stream(of task: URLSessionTask) -> Stream.Continuation? {
        answers.withLock { $0[task.taskIdentifier]?.stream }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            stream(of: dataTask)?.yield(.head(response))
        } else {
            stream(of: dataTask)?.finish(throwing: SyncHTTPError.notHub(body: ""))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (stream, limit) = answers.withLock { answers -> (Stream.Continuation?, Int?) in
            guard var answer = answers[dataTask.taskIdentifier] else { return (nil, nil) }
            answer.unread += data.count
            answers[dataTask.taskIdentifier] = answer
            return (answer.stream, answer.unread > answer.limit ? answer.limit : nil)
        }
        if let limit { stream?.finish(throwing: SyncHTTPError.tooLarge(limit: limit)) }
        stream?.yield(.body(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        answers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.stream.finish(throwing: error)
    }

    /// A redirect is an answer: the token is not sent to another address.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
