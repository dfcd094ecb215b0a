import Commands
import SampleModel
import Strandline

// A writer for tests that end it at any moment: `CrashWriter STORE NAME COUNT` writes COUNT transactions, each with a post and an
// attachment of one title, and prints the title when it is acknowledged.

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else { fatalError("usage: CrashWriter STORE NAME COUNT") }
let output = StandardStream(descriptor: 1)
var options = Store.Options()
options.creates = false
let store = try await Store.open(
    .directory(arguments[1]), Post.self, Attachment.self, ImageData.self, options: options)
for number in 0..<count {
    let title = "\(arguments[2]) \(number)"
    try await store.write(author: arguments[2]) { tx in
        let post = try tx.insert(Post(title: title))
        try tx.insert(Attachment(name: title, post: post.id))
    }
    output.write(title + "\n")
}
try await store.close()
