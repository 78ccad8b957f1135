// swift-tools-version: 6.2
import PackageDescription

// libFuzzer brings its own `main`; `Tests/Fuzz/run` builds with the flags that this needs.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "sluice", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Sluice", package: "sluice"),
        .product(name: "SluiceSync", package: "sluice"),
      ],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
