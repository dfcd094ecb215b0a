public import Strandline

/// The picture of an attachment, loaded on demand.
public struct ImageData: Entity {
    public var id = ID()
    public var data = Blob()
    public var attachment: One<Attachment> = nil

    public static let schema = Schema<Self>("ImageData") {
        Field("data", \.data)
        Field("attachment", \.attachment, inverse: \.imageData)
    }

    public init() {}

    public init(data: Blob, attachment: One<Attachment> = nil) {
        self.data = data
        self.attachment = attachment
    }
}
