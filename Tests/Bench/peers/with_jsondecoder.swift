// Parses the records with Foundation's JSONDecoder, and does nothing else with them:
//
//   with_jsondecoder JSON
//
// On standard output: how many there are.
import Foundation

struct Outage: Decodable {
  let locality: String?
  let street: String?
  let house: String?
  let building: String?
  let letter: String?
  let period: String?

  enum CodingKeys: String, CodingKey {
    case locality = "Населенный пункт"
    case street = "Адрес жилого здания"
    case house = "№ дома"
    case building = "корпус"
    case letter = "литер"
    case period = "Период отключения ГВС"
  }
}

let json = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
print(try JSONDecoder().decode([Outage].self, from: json).count)
