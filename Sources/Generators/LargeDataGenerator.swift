import SampleModel
import Storage
public import Strandline

/// Makes posts with attachments, each with a large picture: 60 posts of 11 pictures of 10 to 20 MB are about 10 GB.
///
/// ```swift
/// let large = LargeDataGenerator(posts: 60, attachments: 11, imageSize: 10_000_000...20_000_000, photos: "/photos")
/// try await large.generate(into: store)
/// ```
///
/// Pictures are photos from a directory, each made different from all others by a comment in it, and as long as asked by further
/// comments; without photos they are grey JPEG pictures drawn from the seed (below 1,500 bytes only noise). A picture is made while it is written: memory stays flat
/// whatever its size. A post and all that belongs to it is one transaction.
public struct LargeDataGenerator: Generator {
    public var posts: Int
    /// Per post.
    public var attachments: Int
    /// Bytes of a picture, evenly distributed; nil for photos as long as they are.
    ///
    /// A photo that is longer stays as it is.
    public var imageSize: ClosedRange<UInt64>?
    public var seed: UInt64
    /// A directory of JPEG files; nil for pictures drawn from the seed.
    public var photos: String?

    public init(
        posts: Int = 60, attachments: Int = 11, imageSize: ClosedRange<UInt64>? = 10_000_000...20_000_000, seed: UInt64 = 1,
        photos: String? = nil
    ) {
        precondition(posts >= 0 && attachments >= 0, "numbers of posts and attachments cannot be negative")
        precondition(imageSize != nil || photos != nil, "pictures need a size, or photos to be made from")
        self.posts = posts
        self.attachments = attachments
        self.imageSize = imageSize
        self.seed = seed
        self.photos = photos
    }

    /// Photos longer than asked make it more.
    public var total: GenerationSummary {
        let pictures = posts * attachments
        var bytes: UInt64 = 0
        for post in 0..<posts {
            for number in 0..<attachments { bytes += size(of: number, of: post) ?? 0 }
        }
        return GenerationSummary(objects: posts + 2 * pictures, blobs: pictures, bytes: bytes)
    }

    /// Where photos are read.
    var files: any FileSystem { Environment.system.fileSystem }
    var texts: PostGenerator {
        var texts = PostGenerator(count: posts, seed: seed)
        texts.codes = 4
        return texts
    }

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        let photos = try loadPhotos()
        let done = SharedSummary()
        for number in 0..<posts {
            try Task.checkCancellation()
            try await write(number, photos, into: store) { bytes in
                progress(done.change { $0.bytes += UInt64(bytes) })
            }
            let summary = done.change { summary in
                summary.objects += 1 + 2 * attachments
                summary.blobs += attachments
            }
            progress(summary)
        }
        return done.value
    }

    private func write(
        _ number: Int, _ photos: [Photo], into store: Store, progress: @escaping @Sendable (Int) -> Void
    ) async throws {
        let generator = self
        do {
            try await store.write(author: "generator") { transaction in
                let post = try transaction.insert(generator.texts.post(number))
                for index in 0..<generator.attachments {
                    let name = Self.name(of: index, of: number)
                    let attachment = try transaction.insert(Attachment(name: name, post: post.id))
                    let content = generator.plan(index, of: number, photos).produced(in: generator.files, progress: progress)
                    try transaction.insert(ImageData(data: Blob(content), attachment: attachment.id))
                }
            }
        } catch let error as StoreError where error.code == .duplicateKey {
            throw GeneratorError.alreadyGenerated(seed)
        }
    }
}

// What the pictures are.
extension LargeDataGenerator {
    static func name(of attachment: Int, of post: Int) -> String { "picture \(attachment + 1) of post \(post + 1)" }

    /// Looks at the directory of photos before anything is made from them.
    ///
    /// - Throws: ``GeneratorError`` of code `photos` for a directory without photos, and for a photo that is no JPEG; what the file system
    ///   throws.
    public func checkPhotos() throws { _ = try loadPhotos() }

    func loadPhotos() throws -> [Photo] { try photos.map { try Photo.all(in: $0, files) } ?? [] }

    /// The bytes of a picture.
    func plan(_ attachment: Int, of post: Int, _ photos: [Photo]) -> ContentPlan {
        let words = SeededWords(seed: seed, 2, UInt64(post), UInt64(attachment))
        let size = size(of: attachment, of: post)
        let comment = "\(Self.name(of: attachment, of: post)), seed \(seed)"
        guard !photos.isEmpty else {
            let length = size ?? 0
            guard length >= DrawnPicture.leastBytes else { return ContentPlan(pieces: [.noise(words, count: length)]) }
            return DrawnPicture.plan(comment: comment, length: length, words)
        }
        let photo = photos[Int(words.word(at: 0) % UInt64(photos.count))]
        return photo.plan(comment: comment, length: size, noise: words)
    }

    /// The length asked for.
    private func size(of attachment: Int, of post: Int) -> UInt64? {
        guard let imageSize else { return nil }
        var words = SeededWords(seed: seed, 3, UInt64(post), UInt64(attachment))
        return UInt64.random(in: imageSize, using: &words)
    }
}
