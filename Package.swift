// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sluice",
  products: [
    .executable(name: "sluice", targets: ["sluice-cli"]),
    .library(name: "Sluice", targets: ["Sluice"]),
  ],
  targets: [
    // Debian's libraries, and our own C: what Swift cannot import or must not link.
    .systemLibrary(name: "CLibraries"),
    .target(name: "CSluice"),
    .target(
      name: "Sluice",
      dependencies: ["CLibraries", "CSluice"],
      // Every document of the folder is a built-in feed.
      resources: [.embedInCode("Feed/BuiltIn")], plugins: ["ListFeeds"]),
    .plugin(name: "ListFeeds", capability: .buildTool()),
    .executableTarget(name: "sluice-cli", dependencies: ["Sluice"]),
    // Measures the stages; built with the rest, so that it cannot rot.
    .executableTarget(name: "sluice-bench", dependencies: ["Sluice"], exclude: ["instructions"]),
    .testTarget(name: "SluiceTests", dependencies: ["Sluice"]),
    .testTarget(name: "CLITests", dependencies: ["sluice-cli"]),
  ],
  swiftLanguageModes: [.v6]
)
