import Interchange
import Testing

@Suite struct GeoJSONFeatureTests {
    @Test func flattensTheFixture() throws {
        var reader = JSONRecordReader(try FileByteSource(path: fixture("quakes.geojson")))
        var seen: [String] = []
        while let record = try reader.next() { seen.append("\(record.line) \(record.value.text)") }
        #expect(
            seen == [
                #"5 {"mag":4.5,"place":"12 km SW of Nowhere","time":1700000000123,"felt":null,"id":"xx0001","#
                    + #""longitude":-123.25,"latitude":39.0,"depth":10.0}"#,
                #"7 {"mag":3,"place":"Ålesund – \"west\"","time":1700000060000,"felt":7,"id":"xx0002","#
                    + #""longitude":6.15,"latitude":62.47}"#,
                #"10 {"mag":-0.25,"id":"own","depth":"shallow","longitude":10.0,"latitude":-0.25}"#,
                #"12 {"place":"a fault","id":"xx0004","geometryType":"LineString","#
                    + #""geometry":"{\"type\":\"LineString\",\"coordinates\":[[0,0.5],[1,1]]}"}"#,
                #"14 {"id":"xx0005"}"#,
                #"15 {"place":"nowhere"}"#,
            ])
    }

    @Test func flattensFeaturesWhereverRecordsStand() throws {
        let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n":1}}"#
        let flat = #"{"n":1,"longitude":1.0,"latitude":2.0}"#
        #expect(try records(feature).map(\.value.text) == [flat])
        #expect(try records("[\(feature),\(feature)]").map(\.value.text) == [flat, flat])
        #expect(try records("\(feature)\n\(feature)").map(\.value.text) == [flat, flat])
    }

    @Test func leavesWhatOnlyLooksLikeAFeature() throws {
        for text in [
            #"{"type":"Feature","properties":{"n":1}}"#, #"{"type":"Feature","properties":1,"geometry":null}"#,
            #"{"type":"feature","properties":{},"geometry":null}"#,
        ] {
            #expect(try records(text).map(\.value.text) == [text])
        }
    }

    @Test func refusesBrokenFeatures() {
        let cases: [(member: String, sentence: String)] = [
            (#""geometry":{"coordinates":[1,2]}"#, "geometry has no type"),
            (#""geometry":{"type":"Point"}"#, "no array of coordinates"),
            (#""geometry":{"type":"Point","coordinates":[1]}"#, "one coordinate"),
            (#""geometry":{"type":"Point","coordinates":[1,"2"]}"#, "is a string: expected a number"),
            (#""geometry":[1,2]"#, "geometry to be an object or null, not an array"),
            (#""properties":7"#, "properties to be an object or null, not a number"),
        ]
        for (member, sentence) in cases {
            let text = "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\(member)}]}"
            let error = #expect(throws: JSONError.self) { try records(text) }
            #expect(error?.code == .shape)
            #expect(error?.message.contains(sentence) == true, "\(String(describing: error))")
            #expect(error?.position == JSONError.Position(line: 2, column: 1, offset: 41))
            #expect(error?.record == 1)
        }
    }
}
