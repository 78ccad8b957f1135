// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sluice",
  products: [
    .executable(name: "sluice", targets: ["sluice-cli"]),
    .library(name: "Sluice", targets: ["Sluice"]),
    .library(name: "SluiceSync", targets: ["SluiceSync"]),
    .library(name: "SluiceText", targets: ["SluiceText"]),
  ],
  targets: [
    // Debian's libraries, and our own C: what Swift cannot import or must not link.
    .systemLibrary(name: "CLibraries"),
    .target(name: "CSluice"),
    .target(
      name: "Sluice",
      dependencies: ["CLibraries", "CSluice"],
      // Every document of the folder is a built-in feed.
      resources: [.embedInCode("Feed/BuiltIn")], plugins: ["ListFeeds", "EmbedPage"]),
    .target(name: "SluiceSync", dependencies: ["Sluice", "CSluice"]),
    .target(name: "SluiceText", dependencies: ["Sluice", "SluiceSync"]),
    .plugin(name: "ListFeeds", capability: .buildTool()),
    .plugin(name: "EmbedPage", capability: .buildTool()),
    .executableTarget(
      name: "sluice-cli", dependencies: ["Sluice", "SluiceSync", "SluiceText"],
      // What the linker lays side by side: see the Makefile.
      exclude: ["functions.order"]),
    // Measures the stages; built with the rest, so that it cannot rot.
    .executableTarget(name: "sluice-bench", dependencies: ["Sluice"], exclude: ["instructions"]),
    // Two folders a module, so that both share their support.
    .testTarget(
      name: "SluiceTests", dependencies: ["Sluice", "SluiceSync"], path: "Tests",
      exclude: [
        "Bench", "CLITests", "Fuzz", "House", "Interop", "LibraryTests", "Page", "SluiceTextTests",
        "Support", "run.py",
      ],
      sources: ["SluiceTests", "SluiceSyncTests"]),
    .testTarget(
      name: "CLITests", dependencies: ["sluice-cli"], path: "Tests",
      exclude: [
        "Bench", "Fuzz", "House", "Interop", "LibraryTests", "Page", "SluiceSyncTests",
        "SluiceTests",
        "Support", "run.py",
      ],
      sources: ["CLITests", "SluiceTextTests"]),
    // An outsider's view: what docs/library.md shows.
    .testTarget(
      name: "LibraryTests", dependencies: ["Sluice", "SluiceText"], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)
