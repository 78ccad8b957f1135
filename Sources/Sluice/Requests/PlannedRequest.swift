/// One request of a plan.
struct PlannedRequest: Sendable, Equatable {
  /// What messages call it.
  var name: RequestName
  /// What its answer's file is called.
  var file: String
  var url: RequestURL
  /// How many records its kept answer has; one without any does not take its place.
  var recordsBefore = 0
}
