/// Says where a redirect may lead.
///
/// A public host must not be able to make us ask an inner network's hosts on its behalf. What
/// counts is the address that was connected to, not the name, which a server of names can point
/// anywhere. Where the environment names a proxy, connections may lead to that instead, whose
/// address says nothing about the host: then only a host that is internal by its very name counts
/// as internal, and the one internal endpoint that stays allowed is that of the request before.
enum RedirectRule {
  /// Says why the step is refused as the URLs stand, nil where it is not.
  static func refusal(
    from: HTTPAddress, to: HTTPAddress, mayReachInternal: Bool
  ) -> RedirectRefusal? {
    if !to.isHTTP { return .scheme(to.scheme) }
    if from.scheme == "https", to.scheme == "http" { return .downgrade }
    if !mayReachInternal, to.namesInternalHost { return .internalAddress(to.host) }
    return nil
  }

  /// Whether a redirect that `from` answered may lead to an internal address.
  static func mayReachInternal(
    from: HTTPAddress, connectedTo endpoint: NetworkEndpoint?, proxy: Bool
  ) -> Bool {
    if proxy { return from.namesInternalHost }
    return endpoint?.address.isInternal ?? false
  }

  /// Whether a request that may not reach internal addresses may be sent to this endpoint.
  static func allows(
    _ endpoint: NetworkEndpoint, before: NetworkEndpoint?, proxy: Bool
  ) -> Bool {
    if !endpoint.address.isInternal { return true }
    return proxy && endpoint == before
  }

  /// The credentials for the next request: they stay with the origin that they were given for, and
  /// do not come back once it was left.
  static func credentials(
    _ credentials: HTTPCredentials?, from: HTTPAddress, to: HTTPAddress
  ) -> HTTPCredentials? {
    from.hasSameOrigin(as: to) ? credentials : nil
  }
}
