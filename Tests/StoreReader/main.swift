import Commands
import SampleModel
import Strandline

// A reader for tests beside writers: `StoreReader STORE COUNT` asks again and again until it has seen COUNT posts, and ends with an
// error at the first half of a transaction: CrashWriter writes a post and an attachment in each.

let arguments = CommandLine.arguments
guard arguments.count == 3, let wanted = Int(arguments[2]) else { fatalError("usage: StoreReader STORE COUNT") }
let output = StandardStream(descriptor: 1)
var options = Store.Options()
options.isReadOnly = true
options.creates = false
let store = try await Store.open(
    .directory(arguments[1]), Post.self, Attachment.self, ImageData.self, options: options)
var seen = 0
var reads = 0
while seen < wanted {
    let snapshot = try store.snapshot()
    let posts = try snapshot.count(Post.all)
    let attachments = try snapshot.count(Attachment.all)
    reads += 1
    guard posts >= seen else { fatalError("\(posts) posts after \(seen)") }
    // The sample begins with three posts and two attachments.
    guard posts == attachments + 1 else { fatalError("\(posts) posts beside \(attachments) attachments") }
    seen = posts
}
output.write("\(reads)\n")
try await store.close()
