import Storage
import StrandlineBenchmarks
import Testing

/// The values are those of `peer-bare vectors`.
@Suite("The data of the benchmarks")
struct WorkloadTests {
    private func sum(_ workload: Workload) -> String {
        Digest128.hex((0..<1000).reduce(into: UInt64(0)) { $0 &+= workload.post($1).hash })
    }

    @Test("posts are those of the peers")
    func posts() {
        let post = Workload().post(0)
        #expect(post.key.description == "1e61397408ab415eeef16c3de96c8df1")
        #expect(post.title == "need study")
        #expect(post.content == "door control money engine rule bank company father period campaign bus")
        #expect(post.views == 47455)
        #expect(post.date == 1_663_910_226_563)
        #expect(Digest128.hex(post.hash) == "a61041a942236cbb")
        #expect(sum(Workload()) == "c3866a2bb93eb758")
    }

    @Test("incompressible posts, and ascending keys, are those of the peers")
    func variants() {
        #expect(Workload(isIncompressible: true).post(1).title == "Wpjw4_obKBNp")
        #expect(sum(Workload(isIncompressible: true)) == "531ff4fbf43f1ac8")
        #expect(sum(Workload(isSequential: true)) == "4857f6fa8755c6c5")
    }

    @Test("what touches the bytes of posts adds up as the peers' does")
    func touch() {
        var sum: UInt64 = 0
        for index in UInt64(0)..<1000 {
            let post = Workload().post(index)
            sum &+= UInt64(bitPattern: post.views &+ post.date) &+ UInt64(post.title.utf8.count + post.content.utf8.count)
            sum &+= Touch64.sum(Array(post.content.utf8).span)
        }
        #expect(Digest128.hex(sum) == "abde397ad24207b3")
        let posts = (UInt64(0)..<1000).map { KeyedPost(Workload().post($0)) }
        #expect(posts.reduce(into: UInt64(0)) { $0 &+= $1.touch } == sum)
    }

    @Test("posts are read in the order in which the peers read them")
    func order() {
        var order = ReadOrder(Workload())
        #expect((0..<5).map { _ in order.next(below: 1000) } == [617, 547, 743, 335, 367])
    }

    @Test("blobs are those of the peers, in pieces as well")
    func blobs() {
        var whole: UInt64 = 0
        var pieces: UInt64 = 0
        for index in UInt64(0)..<2 {
            var bytes = [UInt8](repeating: 0, count: 1_000_003)
            Workload().fill(&bytes, withBlob: index)
            whole &+= Checksum.xxh3(bytes.span, seed: index)
            var streaming = StreamingHash(seed: index)
            streaming.update(bytes.span.extracting(0..<7))
            streaming.update(bytes.span.extracting(7..<1_000_003))
            pieces &+= streaming.digest
        }
        #expect(Digest128.hex(whole) == "c735b776d4e8ad58")
        #expect(pieces == whole)
    }

    @Test("a post survives its journey through an entity")
    func entity() {
        let post = Workload().post(7)
        #expect(KeyedPost(post).record == post)
        #expect(PlainPost(post).record == post)
        #expect(PlainPost().record == nil)
    }
}
