package syntax

type Faults struct {
	Blank    int `json: "blank"`           // want `blank between the colon of json and its value, so Faults.Blank has no json tag`
	Before   int `yaml :"before"`          // want `blank between the key yaml and its colon`
	Bare     int `toml:bare`               // want `the value of toml is not in double quotes`
	Single   int `xml:'single'`            // want `the value of xml is in single quotes`
	Curly    int `json:“curly”`            // want `typographic quotes`
	Back     int "json:`back`"             // want `back quotes`
	Colon    int `bson"colon"`             // want `no colon between the key bson and its value`
	Quote    int `db":quote"`              // want `the quote stands before the colon of db`
	Equals   int `json="equals"`           // want `equals sign instead of a colon behind the key json`
	Word     int `json=word`               // want `equals sign instead of a colon behind the key json`
	Around   int `"json:around"`           // want `quotes around the key json`
	Escape   int `validate:"len=\d"`       // want `an escape that Go does not know \(\\d\)`
	Inner    int `gorm:"comment:"x" y"`    // want `the value of gorm ends at a quote that is not escaped`
	Stray    int `json:"stray"" xml:"s"`   // want `"\\"" stands outside the quotes of json and is not read`
	Open     int `json:"open`              // want `the value of json has no closing quote`
	Lost     int `yaml:"lost json:"lost"`  // want `the value of yaml has no closing quote`
	Comma    int `json:"comma",xml:"c"`    // want `comma instead of a blank before the key xml, so Faults.Comma has no xml tag`
	Tab      int `json:"tab"	xml:"t"`      // want `tab instead of a blank`
	Line     int "json:\"line\"\nxml:\"\"" // want `line break instead of a blank`
	None     int `json:"none"xml:"n"`      // want `no blank before the key xml`
	Outside  int `json:"out",omitempty`    // want `"omitempty" stands outside the quotes of json and is not read`
	Trailing int `json:"trailing",`        // want `comma at the end of the tag`
	Extra    int `json:"extra" omitempty`  // want `the word omitempty in the tag of Faults.Extra is neither a key nor a value`
	Nothing  int `json:`                   // want `the key json has no value`
	Twice    int `json:"a" json:"b"`       // want `the key json is in the tag of Faults.Twice twice, and "b", the second value, is not read`
}

// Tags that nobody reads by reflect are other people's business, and so are
// blanks and words that reflect accepts.
type Fine struct {
	Grammar  string   `@Ident "=" ( "," @@ )*`
	Words    string   `arg required help:"where to"`
	Blanks   string   `json:"blanks"   xml:"b" `
	Escaped  string   `json:"escaped" help:"say \"x\": y"`
	Raw      string   "json:\"raw\""
	Choice   string   `long:"x" choice:"a" choice:"b" json:"choice"`
	Empty    string   `json:""`
	Callers  []string `json:"callers" x-y.z/q:"1"`
	NotQuite string   `name:"x" key=value`
}

// Keys that nobody knows, in tags that are meant to be conventional all the same.
type Unknown struct {
	Comma int `x:"a",y:"b"` // want `comma instead of a blank before the key y`
	None  int `x:"a"y:"b"`  // want `no blank before the key y`
	Open  int `x:"a`        // want `the value of x has no closing quote`
	Twice int `x:"a" x:"b"` // want `the key x is in the tag of Unknown.Twice twice`
	Word  int `x:"a" y`
	Bare  int `x:a`
}
