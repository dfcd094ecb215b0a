import EventLog
import Projection

/// Random questions about a world, most of them about values that are there.
struct QuestionSource {
    let world: World
    var dice: Dice
    /// The regular expressions that were asked for.
    private(set) var patterns: [String: NaivePattern] = [:]

    init(_ world: World, _ dice: Dice) {
        self.world = world
        self.dice = dice
    }

    mutating func next() -> Question {
        let model = dice.pick(world.models)
        let filter = dice.chance(8) ? Filter.always(true) : filter(model, depth: dice.pick([0, 0, 1, 1, 2, 3]))
        let kind: Question.Kind
        switch dice.number(0...9) {
        case 0...4:
            let limits: [Int?] = [nil, nil, 0, 1, 3, 10, 1000, .max]
            kind = .rows(
                sort: (0..<dice.number(0...3)).map { _ in sortKey(model) }, limit: dice.pick(limits),
                offset: dice.pick([0, 0, 0, 1, 5, 50]))
        case 5, 6: kind = .count
        default:
            let keys = (0..<dice.number(0...2)).map { _ in key(model) }
            kind = .groups(keys: keys, aggregates: (0..<dice.number(1...4)).map { _ in aggregate(model) })
        }
        return Question(entity: model.name, filter: filter, kind: kind)
    }

    private mutating func sortKey(_ model: Model) -> SortKey {
        if dice.chance(10) {
            let path =
                dice.chance(40)
                ? PropertyPath([dice.pick(model.collections).name], countsObjects: true)
                : dice.chance(50) ? PropertyPath(dice.pick(model.references).name) : .object
            return SortKey(path, ascending: dice.chance(50))
        }
        let (path, column) = self.path(model)
        let options: TextOptions = column.type == .string && dice.chance(20) ? self.options() : []
        return SortKey(path, ascending: dice.chance(60), options: options)
    }

    private mutating func key(_ model: Model) -> PropertyPath {
        dice.chance(15) ? PropertyPath(dice.pick(model.references).name) : path(model).path
    }

    private mutating func aggregate(_ model: Model) -> Aggregate {
        let (path, column) = self.path(model)
        switch column.type {
        case .int, .double, .counter: return Aggregate(dice.pick(Aggregate.Function.allCases), path)
        case .string, .date: return Aggregate(dice.pick([.count, .min, .max]), path)
        default: return dice.chance(50) ? .count : Aggregate(.count, path)
        }
    }

    /// A path to a column, through to-one relationships or none.
    mutating func path(_ model: Model) -> (path: PropertyPath, column: Model.Column) {
        var (names, model): ([String], Model) = ([], model)
        while names.count < 2, dice.chance(20), let reference = model.references.first,
            let target = world.model(reference.target)
        {
            names.append(reference.name)
            model = target
        }
        let column = dice.pick(model.columns)
        return (PropertyPath(names + [column.name]), column)
    }

    mutating func options() -> TextOptions {
        dice.pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }
}

// Filters.
extension QuestionSource {
    mutating func filter(_ model: Model, depth: Int) -> Filter {
        guard depth > 0 else { return comparison(model) }
        switch dice.number(0...6) {
        case 0, 1: return .and((0..<dice.number(1...3)).map { _ in filter(model, depth: depth - 1) })
        case 2, 3: return .or((0..<dice.number(1...3)).map { _ in filter(model, depth: depth - 1) })
        case 4, 5: return .not(filter(model, depth: depth - 1))
        default: return comparison(model)
        }
    }

    private mutating func comparison(_ model: Model) -> Filter {
        switch dice.number(0...99) {
        case 0...64:
            let (path, column) = self.path(model)
            return .comparison(test(.path(path), column))
        case 65...72: return twoColumns(model) ?? comparison(model)
        case 73...80: return arithmetic(model) ?? comparison(model)
        case 81...86: return reference(model)
        case 87...94: return quantified(model)
        case 95...98:
            var names = [dice.pick(model.collections).name]
            if dice.chance(20), let reference = model.references.first, let target = world.model(reference.target) {
                names = [reference.name, dice.pick(target.collections).name]
            }
            let order: [Comparison.Operator] = [.equal, .notEqual, .less, .greaterOrEqual]
            return .compare(
                .path(PropertyPath(names, countsObjects: true)), dice.pick(order),
                .constant(.int(Int64(dice.number(0...3)))))
        default: return .always(dice.chance(50))
        }
    }

    /// A test of values like those of a column.
    private mutating func test(_ left: Operand, _ column: Model.Column) -> Comparison {
        func isNull(_ dice: inout Dice) -> Comparison {
            Comparison(left, dice.chance(50) ? .equal : .notEqual, [.constant(.null)])
        }
        if dice.chance(8) { return isNull(&dice) }
        let comparator: Comparison.Operator
        switch column.type {
        case .bool, .uuid, .data: comparator = dice.pick([.equal, .notEqual, .in])
        case .string: comparator = dice.pick(Comparison.Operator.allCases)
        default: comparator = dice.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in])
        }
        var options: TextOptions = column.type == .string && dice.chance(20) ? self.options() : []
        var right: [Operand]
        switch comparator {
        case .in: right = (0..<dice.number(0...4)).map { _ in .constant(constant(column)) }
        case .between:
            let bounds = [constant(column), constant(column)]
            right = (dice.chance(90) ? bounds.sorted { (NaiveEvaluator.order($0, $1) ?? 0) < 0 } : bounds).map { .constant($0) }
        case .contains, .beginsWith, .endsWith, .like:
            var text = ""
            if case .string(let found) = constant(column) { text = found }
            let piece = comparator == .like ? Texts.pattern(for: text, &dice) : Texts.piece(of: text, &dice)
            right = [.constant(dice.chance(3) ? .null : .string(piece))]
        case .matches:
            let pattern = NaivePattern(&dice)
            patterns[pattern.text] = pattern
            right = [.constant(.string(pattern.text))]
        default: right = [.constant(constant(column))]
        }
        if right == [.constant(.null)] { options = [] }
        if right.count == 1, !comparator.looksInside, comparator != .in, dice.chance(10), options.isEmpty {
            let mirrored: [Comparison.Operator: Comparison.Operator] = [
                .less: .greater, .lessOrEqual: .greaterOrEqual, .greater: .less, .greaterOrEqual: .lessOrEqual,
            ]
            if case .constant(let value) = right[0], value != .null {
                right = [left]
                return Comparison(.constant(value), mirrored[comparator] ?? comparator, right)
            }
        }
        return Comparison(left, comparator, right, options: options)
    }

    /// A value of the column, or one like it; now and then null, or a number of the other type.
    private mutating func constant(_ column: Model.Column) -> Value {
        if dice.chance(4) { return .null }
        if dice.chance(55) {
            let owners = world.models.filter { model in model.columns.contains { $0.name == column.name } }
            let rows = world.rows(of: dice.pick(owners).name)
            if !rows.isEmpty, let value = dice.pick(rows).values[column.name], value.type == column.type { return value }
        }
        switch column.type {
        case .int, .counter:
            return dice.chance(25)
                ? .double(dice.pick([0.5, -1.5, 2, 0x1p53, 0x1p63, -0x1p63, 1e30, -.infinity, .leastNonzeroMagnitude]))
                : column.flavour.value(of: .int, &dice)
        case .double: return dice.chance(25) ? Flavour.wild.value(of: .int, &dice) : column.flavour.value(of: .double, &dice)
        default: return column.flavour.value(of: column.type, &dice)
        }
    }

    private mutating func twoColumns(_ model: Model) -> Filter? {
        let (path, column) = self.path(model)
        let (other, second) = self.path(model)
        let isNumeric = [column, second].allSatisfy { [.int, .double, .counter].contains($0.type) }
        guard isNumeric || column.type == second.type else { return nil }
        let comparators: [Comparison.Operator]
        switch column.type {
        case .bool, .uuid, .data: comparators = [.equal, .notEqual, .in]
        case .string:
            comparators = [.equal, .notEqual, .less, .greaterOrEqual, .contains, .beginsWith, .endsWith, .like, .in]
        default: comparators = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in]
        }
        let options: TextOptions = column.type == .string && dice.chance(20) ? self.options() : []
        return .compare(.path(path), dice.pick(comparators), .path(other), options: options)
    }

    private mutating func arithmetic(_ model: Model) -> Filter? {
        let columns = model.columns.filter { [.int, .double, .counter].contains($0.type) }
        guard !columns.isEmpty else { return nil }
        let column = dice.pick(columns)
        let left = calculation(columns, depth: dice.number(1...2))
        let comparators: [Comparison.Operator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let right: Operand = dice.chance(20) ? .property(dice.pick(columns).name) : .constant(constant(column))
        return dice.chance(80) ? .compare(left, dice.pick(comparators), right) : .compare(right, dice.pick(comparators), left)
    }

    private mutating func calculation(_ columns: [Model.Column], depth: Int) -> Operand {
        if depth == 0 {
            let constants: [Value] = [.int(0), .int(2), .int(-1), .int(.max), .double(0.5), .double(4), .double(-1e300)]
            return dice.chance(60) ? .property(dice.pick(columns).name) : .constant(dice.pick(constants))
        }
        let operations: [Operand.Arithmetic] = [.add, .subtract, .multiply, .divide]
        return .arithmetic(
            depth == 2 || dice.chance(75) ? .property(dice.pick(columns).name) : calculation(columns, depth: depth - 1),
            dice.pick(operations), calculation(columns, depth: depth - 1))
    }

    /// A test of an object itself, or of one it refers to.
    private mutating func reference(_ model: Model) -> Filter {
        let reference = dice.pick(model.references)
        let isItself = dice.chance(25)
        let objects = world.rows(of: isItself ? model.name : reference.target).map { Value.reference($0.id) }
        let path = isItself ? PropertyPath.object : PropertyPath(reference.name)
        if objects.isEmpty || dice.chance(30) {
            return .compare(.path(path), dice.chance(50) ? .equal : .notEqual, .constant(.null))
        }
        if dice.chance(40) {
            let some = (0..<dice.number(0...4)).map { _ in Operand.constant(dice.chance(10) ? .null : dice.pick(objects)) }
            return .comparison(Comparison(.path(path), .in, some))
        }
        return .compare(.path(path), dice.chance(50) ? .equal : .notEqual, .constant(dice.pick(objects)))
    }

    private mutating func quantified(_ model: Model) -> Filter {
        var names: [String] = []
        var model = model
        if dice.chance(15), let reference = model.references.first, let target = world.model(reference.target) {
            names.append(reference.name)
            model = target
        }
        let collection = dice.pick(model.collections)
        names.append(collection.name)
        guard let target = world.model(collection.target) else { return .always(true) }
        var comparison: Comparison
        if dice.chance(10) {
            let objects = world.rows(of: target.name).map { Value.reference($0.id) }
            let object: Value = objects.isEmpty || dice.chance(20) ? .null : dice.pick(objects)
            comparison = Comparison(.path(PropertyPath(names)), dice.chance(50) ? .equal : .notEqual, [.constant(object)])
        } else {
            let (path, column) = self.path(target)
            let left = Operand.path(PropertyPath(names + path.names))
            comparison = test(left, column)
            if comparison.left != left { comparison = Comparison(left, comparison.operator, [comparison.left]) }
        }
        comparison.quantifier = dice.pick([Comparison.Quantifier.any, .all, .none])
        return .comparison(comparison)
    }
}

extension Comparison.Operator {
    /// Whether it looks inside strings.
    var looksInside: Bool {
        switch self {
        case .contains, .beginsWith, .endsWith, .like, .matches: true
        default: false
        }
    }
}
