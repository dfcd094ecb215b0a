import Foundation
import StrandlineBenchmarks
import Testing

@Suite("Bar charts")
struct BarChartTests {
    private let chart = BarChart(
        title: "a < b & c", unit: "posts/s",
        bars: [
            BarChart.Bar(label: "ours", value: 200, lower: 100, upper: 210, isOurs: true),
            BarChart.Bar(label: "peer", value: 105, lower: 105, upper: 105, isOurs: false),
        ])

    @Test("bars are as long as their values, ours in a colour of its own")
    func bars() {
        let svg = chart.svg
        #expect(svg.contains("<rect class=\"o\" x=\"210\" y=\"44\" width=\"400\" height=\"18\" rx=\"2\"/>"))
        #expect(svg.contains("<rect class=\"p\" x=\"210\" y=\"74\" width=\"210\" height=\"18\" rx=\"2\"/>"))
        #expect(svg.contains("<line class=\"q\" x1=\"410\" x2=\"630\" y1=\"53\" y2=\"53\"/>"))
    }

    @Test("text cannot break out of the picture")
    func escaping() {
        #expect(chart.svg.contains("<title>a &lt; b &amp; c</title>"))
        #expect(!chart.svg.contains("a < b"))
    }

    @Test("no contestants, or only zeros, still make a picture")
    func empty() {
        #expect(BarChart(title: "t", unit: "u", bars: []).svg.hasSuffix("</svg>\n"))
        let bar = BarChart.Bar(label: "a", value: 0, lower: 0, upper: 0, isOurs: true)
        #expect(BarChart(title: "t", unit: "u", bars: [bar]).svg.contains("width=\"0\""))
    }
}
