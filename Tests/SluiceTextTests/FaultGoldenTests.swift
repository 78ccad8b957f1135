import Glibc
import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct FaultGoldenTests {
  private static let archive = [
    EntryName(bytes: Array("a.json".utf8)), EntryName(bytes: [0x8F, 0x2E, 0x1B]),
  ]

  static let goldens: [(PipelineError, en: String, ru: String)] = [
    (
      PipelineError(.source(.status(503, url: "https://h/x?id=4", retryAfter: 121))),
      #"source: the server answers 503 for "https://h/x?id=4"; try again in 121 seconds"#,
      "source: сервер ответил кодом 503 на запрос «https://h/x?id=4»; "
        + "повторите попытку через 121 секунду"
    ),
    (
      PipelineError(.source(.cut(received: 1022, expected: 63281, detail: "reset")), at: 1022),
      "source: byte 1022: the connection was lost after 1022 of 63281 bytes (reset); "
        + "try again later",
      "source: byte 1022: соединение прервалось, получено 1022 байта из 63281 (reset); "
        + "повторите попытку позже"
    ),
    (
      PipelineError(.envelope(.missing(field: "file", keys: ["classifierId", "fi\u{1B}le"]))),
      #"envelope: there is no field "file" (keys seen: "classifierId", "fi\u001ble"); "#
        + "check the URL, or choose another feed with --feed NAME",
      #"envelope: нет поля «file» (найдены ключи: «classifierId», «fi\u001ble»); "#
        + "проверьте адрес или укажите другой набор данных: --feed NAME"
    ),
    (
      PipelineError(.base64(.foreign(byte: 0x21)), at: 7),
      #"base64: byte 7: the character "!" is not valid in base64; download the data again"#,
      "base64: byte 7: символ «!» недопустим в base64; скачайте данные заново"
    ),
    (
      PipelineError(.unzip(.severalEntries(names: archive)), at: 90),
      #"unzip: byte 90: the archive has several files: "a.json", "\x8f.\x1b"; "#
        + "choose one: --entry NAME (convert reads all that fit a pattern: --entry '*')",
      #"unzip: byte 90: в архиве несколько файлов: «a.json», «\x8f.\x1b»; "#
        + "выберите один: --entry NAME (convert читает все, что подходят под образец: --entry '*')"
    ),
    (
      PipelineError(.json(.tooDeep(limit: 512)), at: 513),
      "json: byte 513: arrays and objects are nested deeper than 512 levels; "
        + "if the data belongs to another feed, choose it with --feed NAME",
      "json: byte 513: вложенность массивов и объектов больше предела: 512 уровней; "
        + "если это другой набор данных, укажите его: --feed NAME"
    ),
    (
      PipelineError(.normalize(.tooManyRejects(rejected: 2, of: 10, limit: .standard))),
      "normalize: 2 of 10 records rejected, the limit is 10%; "
        + "--rejects FILE shows why, --max-rejects changes the limit",
      "normalize: отклонено записей: 2 из 10, предел — 10%; "
        + "причины покажет --rejects FILE, предел меняет --max-rejects"
    ),
    (
      PipelineError(.sink(.write(path: "out.csv", errno: ENOSPC)), at: 65536),
      #"sink: byte 65536: cannot write to "out.csv": no space left on the device; "#
        + "free some space and run again",
      "sink: byte 65536: не удалось записать в файл «out.csv»: на устройстве нет места; "
        + "освободите место и повторите"
    ),
  ]

  @Test(arguments: goldens.indices)
  func `an error reads as a person has read it`(index: Int) {
    let (error, en, ru) = FaultGoldenTests.goldens[index]
    #expect(error.text.en == en)
    #expect(error.text.ru == ru)
  }
}
