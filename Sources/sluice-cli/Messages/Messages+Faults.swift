import Sluice

extension PipelineError {
  /// The error as the contract words it, without the prefix:
  /// `STAGE: byte N: record R, field F: what is wrong; what to do`. Parts that are not known are
  /// left out.
  var text: Text {
    var text = Text.verbatim("\(stage.rawValue): ")
    if let offset { text = text + .verbatim("byte \(offset): ") }
    var place: [Text] = []
    if let record { place.append(Text(en: "record \(record)", ru: "запись \(record)")) }
    if let field { place.append(Text(en: "field ", ru: "поле ") + .quoted(field)) }
    if let first = place.first {
      text = place.dropFirst().reduce(text + first) { $0 + .verbatim(", ") + $1 } + .verbatim(": ")
    }
    return text + sluice_cli.text(of: fault)
  }
}

/// Says what is wrong, and what to do where that is known.
func text(of fault: Fault) -> Text {
  switch fault {
  case .source(let fault): text(of: fault)
  case .envelope(let fault): text(of: fault)
  case .base64(let fault): text(of: fault)
  case .unzip(let fault): text(of: fault)
  case .json(let fault): text(of: fault)
  case .normalize(let fault): text(of: fault)
  case .sink(let fault): text(of: fault)
  }
}

private func text(of fault: SourceFault) -> Text {
  switch fault {
  case .empty: Text(en: "the input is empty", ru: "входные данные пусты")
  }
}

private func text(of fault: EnvelopeFault) -> Text {
  switch fault {
  case .missing(let field, let keys):
    Text(en: "there is no field ", ru: "нет поля ") + .quoted(field)
      + Text(en: "; keys seen: ", ru: "; найдены ключи: ") + list(keys)
  }
}

private func text(of fault: Base64Fault) -> Text {
  switch fault {
  case .empty: Text(en: "there is no base64 text", ru: "текста base64 нет")
  }
}

private func text(of fault: ZIPFault) -> Text {
  switch fault {
  case .truncated:
    Text(en: "the archive is truncated; download it again", ru: "архив обрезан; скачайте его снова")
  }
}

private func text(of fault: JSONFault) -> Text {
  switch fault {
  case .truncated:
    Text(
      en: "the text is truncated; download it again", ru: "текст обрывается; скачайте его снова")
  }
}

private func text(of fault: FeedFault) -> Text {
  switch fault {
  case .tooManyRejects(let rejected, let total, let limit):
    Text(
      en: "\(rejected) of \(total) records were rejected, the limit is \(limit); "
        + "--rejects FILE shows why, --max-rejects changes the limit",
      ru: "отклонено записей: \(rejected) из \(total), предел — \(limit); "
        + "причины покажет --rejects FILE, предел меняет --max-rejects")
  }
}

private func text(of fault: SinkFault) -> Text {
  switch fault {
  case .write(let path, let errno):
    Text(en: "cannot write ", ru: "не удалось записать ") + .quoted(path) + .verbatim(": ")
      + .systemError(errno)
  }
}

/// Foreign names in a row, made safe to show; a long row is cut.
private func list(_ names: [String]) -> Text {
  let shown = names.prefix(12).map { escaped($0, limit: 40) }
  return .verbatim(shown.joined(separator: ", ") + (names.count > shown.count ? ", …" : ""))
}
