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

    private let streams = Locked<[Int: Stream.Continuation]>([:])

    /// Starts a task, which ends when the stream is not read any more.
    func start(_ task: URLSessionDataTask) -> Stream {
        let (stream, continuation) = Stream.makeStream()
        streams.withLock { $0[task.taskIdentifier] = continuation }
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        return stream
    }

    private func stream(of task: URLSessionTask) -> Stream.Continuation? {
        streams.withLock { $0[task.taskIdentifier] }
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
        stream(of: dataTask)?.yield(.body(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish(throwing: error)
    }

    /// A redirect is an answer: the token is not sent to another address.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
