import NIOSSL

/// A certificate for `localhost` that signs itself, valid until 2126, for tests only.
enum Certificate {
    static func server() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: [.certificate(try certificate())],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
    }

    static func client() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate()])
        return configuration
    }

    private static func certificate() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(text.utf8), format: .pem)
    }

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsnuw/OFv+9ifH34N
        pnB8eaDpunxwFIZqoI/bQimOlvyhRANCAAQufuXc5lUh3R/v9L+jFg4DI6DAU9dW
        YxCfhiNenEoroLh1WWxgM7exvckkqucpH5M7ztHQUeHLrbw2Bpb5teB6
        -----END PRIVATE KEY-----
        """

    private static let text = """
        -----BEGIN CERTIFICATE-----
        MIIBlDCCATugAwIBAgIUODXkitaMWta9DDU4sC+NaRBVdZ4wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTE3MDA0OVoYDzIxMjYxMTAx
        MTcwMDQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQufuXc5lUh3R/v9L+jFg4DI6DAU9dWYxCfhiNenEoroLh1WWxgM7ex
        vckkqucpH5M7ztHQUeHLrbw2Bpb5teB6o2kwZzAdBgNVHQ4EFgQUezeFIAKcSVM8
        A+6aOVE8QnByjDIwHwYDVR0jBBgwFoAUezeFIAKcSVM8A+6aOVE8QnByjDIwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        RwAwRAIgBpfKEO64GFSw+RdPbL31xyoTPEDzn5QlKjvlxh/VqnUCIFt1nWO/J5E6
        MfKp24wggGp82Xk2E+ySv0eteZsX3k07
        -----END CERTIFICATE-----
        """
}
