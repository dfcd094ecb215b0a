// Invariants: never more than `capacity` elements; no element precedes one of its children (2i+1, 2i+2), so the first is the
// last in order, the one that a better element replaces. No lock: a value, owned by its caller.

/// Keeps the first elements, by an order, of as many as are inserted.
struct BoundedHeap<Element> {
    private let capacity: Int
    private let precedes: (Element, Element) -> Bool
    private var elements: [Element] = []

    /// An empty heap; `precedes` must be a strict total order.
    init(capacity: Int, by precedes: @escaping (Element, Element) -> Bool) {
        self.capacity = max(0, capacity)
        self.precedes = precedes
    }

    /// What an element must precede to be kept; nil while there is room for any.
    var last: Element? { elements.count == capacity ? elements.first : nil }

    mutating func insert(_ element: Element) {
        if elements.count < capacity {
            elements.append(element)
            raise(elements.count - 1)
        } else if let last = elements.first, precedes(element, last) {
            elements[0] = element
            sink(0)
        }
    }

    /// The kept elements, first first.
    func sorted() -> [Element] { elements.sorted(by: precedes) }

    private mutating func raise(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(elements[parent], elements[index]) else { return }
            elements.swapAt(parent, index)
            index = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var last = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && precedes(elements[last], elements[child]) {
                last = child
            }
            if last == index { return }
            elements.swapAt(last, index)
            index = last
        }
    }
}
