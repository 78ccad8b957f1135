// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sluice",
  products: [
    .executable(name: "sluice", targets: ["sluice-cli"]),
    .library(name: "Sluice", targets: ["Sluice"]),
  ],
  targets: [
    // Debian's libraries: a module map and a shim each.
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CDeflate"),
    .systemLibrary(name: "CCSV"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CYAML"),
    // Our own small shims: what Swift cannot import or must not link.
    .target(name: "CCurl"),
    .target(name: "CPosix"),
    .target(name: "CScan"),
    .target(
      name: "Sluice",
      dependencies: [
        "CZlib", "CDeflate", "CCSV", "CSQLite", "CYAML", "CCurl", "CPosix", "CScan",
      ],
      // Every document of the folder is a built-in feed.
      resources: [.embedInCode("Feeds/BuiltIn")], plugins: ["ListFeeds"]),
    .plugin(name: "ListFeeds", capability: .buildTool()),
    .executableTarget(name: "sluice-cli", dependencies: ["Sluice"]),
    // Measures the stages; built with the rest, so that it cannot rot.
    .executableTarget(name: "sluice-bench", dependencies: ["Sluice"], exclude: ["instructions"]),
    .testTarget(name: "SluiceTests", dependencies: ["Sluice"]),
    .testTarget(name: "CLITests", dependencies: ["sluice-cli"]),
  ],
  swiftLanguageModes: [.v6]
)
