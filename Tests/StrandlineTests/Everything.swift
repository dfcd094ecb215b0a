import FoundationEssentials
import Strandline

enum Mood: String, Storable { case calm, stormy }
enum Level: UInt8, Storable { case low = 1, high = 200 }
struct Celsius: RawRepresentable, Storable, Equatable { var rawValue: Double }
struct Settings: Codable, Sendable, Equatable {
    var colours: [String: Int] = [:]
    var factor = 1.0
}

/// An entity with a property of every type.
struct Everything: Entity {
    var id = ID()
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint = UInt(0)
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var double = 0.0
    var float: Float = 0
    var text = ""
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var data = Data()
    var bytes: [UInt8] = []
    var mood = Mood.calm
    var level = Level.low
    var celsius = Celsius(rawValue: 0)
    var maybeInt: Int? = 7
    var maybeText: String?
    var maybeDate: Date?
    var maybeMood: Mood?
    var maybeBytes: [UInt8]?
    var settings = Settings()
    var maybeSettings: Settings?
    var likes = Counter()
    var photo = Blob()
    var maybePhoto: Blob?
    var one: One<Everything> = nil
    var many = Many<Everything>()

    static let schema = Schema<Self>("Everything") {
        Field("flag", \.flag)
        Field("int", \.int)
        Field("int8", \.int8)
        Field("int16", \.int16)
        Field("int32", \.int32)
        Field("int64", \.int64)
        Field("uint", \.uint)
        Field("uint8", \.uint8)
        Field("uint16", \.uint16)
        Field("uint32", \.uint32)
        Field("uint64", \.uint64)
        Field("double", \.double)
        Field("float", \.float)
        Field("text", \.text)
        Field("date", \.date)
        Field("uuid", \.uuid)
        Field("data", \.data)
        Field("bytes", \.bytes)
        Field("mood", \.mood)
        Field("level", \.level)
        Field("celsius", \.celsius)
        Field("maybeInt", \.maybeInt)
        Field("maybeText", \.maybeText)
        Field("maybeDate", \.maybeDate)
        Field("maybeMood", \.maybeMood)
        Field("maybeBytes", \.maybeBytes)
        Field("settings", codable: \.settings)
        Field("maybeSettings", codable: \.maybeSettings)
        Field("likes", \.likes)
        Field("photo", \.photo)
        Field("maybePhoto", \.maybePhoto)
        Field("one", \.one)
        Field("many", \.many)
    }
}

extension Everything {
    /// Every property away from its default, at its limit where it has one.
    static var extreme: Everything {
        var row = Everything()
        row.flag = true
        row.int = .min
        row.int8 = .min
        row.int16 = .max
        row.int32 = .min
        row.int64 = .max
        row.uint = .max
        row.uint8 = .max
        row.uint16 = .max
        row.uint32 = .max
        row.uint64 = .max
        row.double = Double(nan: 77, signaling: false)
        row.float = -.infinity
        row.text = "e\u{301}\u{0}\u{1F1E9}\u{1F1EA} long enough not to be a small string"
        row.date = Date(timeIntervalSinceReferenceDate: -1.5e-9)
        row.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        row.data = Data([0, 255])
        row.bytes = [255, 0, 1]
        row.mood = .stormy
        row.level = .high
        row.celsius = Celsius(rawValue: -0.0)
        row.maybeInt = nil
        row.maybeText = ""
        row.maybeDate = Date(timeIntervalSinceReferenceDate: 1e12)
        row.maybeMood = .calm
        row.maybeBytes = []
        row.settings = Settings(colours: ["b": 2, "a": 1], factor: .infinity)
        row.maybeSettings = Settings()
        row.likes = Counter(.min)
        row.photo = Blob([1, 2, 3])
        row.maybePhoto = Blob([])
        row.one = EntityID(object(3))
        row.many = [EntityID(object(9)), EntityID(object(4)), EntityID(object(9))]
        return row
    }
}
