import Commands
import SampleModel
import Strandline

// A writer for tests that end it at any moment: `CrashWriter STORE NAME COUNT [MEMORY]` writes COUNT transactions, each with a post and
// an attachment of one title, and prints the title when it is acknowledged. With MEMORY, the bytes after which what was written goes to
// runs, each also changes a post of before, so that runs supersede each other, are merged and removed.

let arguments = CommandLine.arguments
guard 4...5 ~= arguments.count, let count = Int(arguments[3]) else {
    fatalError("usage: CrashWriter STORE NAME COUNT [MEMORY]")
}
let output = StandardStream(descriptor: 1)
var options = Store.Options()
options.creates = false
let memory = arguments.count == 5 ? Int(arguments[4]) : nil
let churns = memory != nil
if let memory { options.projection.memory = memory }
let store = try await Store.open(
    .directory(arguments[1]), Post.self, Attachment.self, ImageData.self, options: options)
var former: Post.ID?
for number in 0..<count {
    let title = "\(arguments[2]) \(number)"
    let known = former
    former = try await store.write(author: arguments[2]) { tx in
        let post = try tx.insert(Post(title: title))
        try tx.insert(Attachment(name: title, post: post.id))
        if let known, churns { try tx.update(known) { $0.content = "followed by \(title)" } }
        return number % 3 == 0 ? known ?? post.id : post.id
    }.value
    output.write(title + "\n")
}
try await store.close()
