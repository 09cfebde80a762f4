import Foundation

/// The sanitizers that this process was built with.
package enum Sanitizers {
    package static let hasAddressSanitizer = dlsym(nil, "__asan_init") != nil
    package static let areInUse = hasAddressSanitizer || dlsym(nil, "__tsan_init") != nil
}
