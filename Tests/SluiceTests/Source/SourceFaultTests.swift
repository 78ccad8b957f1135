import CSluice
import Testing

@testable import Sluice

@Suite struct SourceFaultTests {
  private func fault(
    _ code: CURLcode, headIsComplete: Bool = true, certificateFile: String? = nil
  ) -> SourceFault {
    SourceFault(
      code, detail: "d", received: 3, expected: 9, headIsComplete: headIsComplete,
      certificateFile: certificateFile, limits: HTTPLimits())
  }

  @Test func `an error of libcurl becomes a fault of its kind`() {
    #expect(fault(CURLE_COULDNT_RESOLVE_HOST) == .unresolved(detail: "d"))
    #expect(fault(CURLE_COULDNT_CONNECT) == .unconnected(detail: "d"))
    #expect(fault(CURLE_OPERATION_TIMEDOUT) == .connectTimeout(seconds: 30, detail: "d"))
    #expect(fault(CURLE_PEER_FAILED_VERIFICATION) == .certificate(detail: "d"))
    #expect(fault(CURLE_SSL_CONNECT_ERROR) == .tls(detail: "d"))
    #expect(fault(CURLE_SSL_CACERT_BADFILE) == .tls(detail: "d"))
    #expect(
      fault(CURLE_SSL_CACERT_BADFILE, certificateFile: "f")
        == .certificateFile(path: "f", detail: "d"))
    #expect(fault(CURLE_PARTIAL_FILE) == .cut(received: 3, expected: 9, detail: "d"))
    #expect(
      fault(CURLE_OUT_OF_MEMORY, headIsComplete: false) == .headersTooLarge(limit: 65_536))
    #expect(
      fault(CURLcode(rawValue: 100), headIsComplete: false) == .headersTooLarge(limit: 65_536))
    #expect(fault(CURLE_OUT_OF_MEMORY) == .transfer(code: 27, detail: "d"))
    #expect(fault(CURLE_WEIRD_SERVER_REPLY) == .transfer(code: 8, detail: "d"))
  }

  @Test func `an absent library names its package`() {
    #expect {
      try CurlLibrary.load(named: "libcurl-absent.so.9")
    } throws: { error in
      guard let error = error as? PipelineError,
        case .source(.libraryMissing(let package, let detail)) = error.fault
      else { return false }
      return package == "libcurl4" && detail.contains("libcurl-absent.so.9")
    }
  }

  @Test func `a library that is not libcurl names what it lacks`() {
    #expect {
      try CurlLibrary.load(named: "libc.so.6")
    } throws: { error in
      guard let error = error as? PipelineError,
        case .source(.libraryMissing(_, let detail)) = error.fault
      else { return false }
      return detail.contains("curl_global_init")
    }
  }
}
