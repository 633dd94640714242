// Package duplicates has names that are there twice.
package duplicates

type Direct struct {
	A int `json:"x" xml:"a"`
	B int `json:"x" xml:"a"` // want `Direct.A and Direct.B are both "x" for encoding/json, which leaves both out` `Direct.A and Direct.B are both "a" for encoding/xml, which refuses the whole type`
	C int `yaml:"y"`
	D int `yaml:"y"` // want `are both "y" for yaml, which refuses the whole type`
	E int `db:"z"`
	F int `db:"z"` // want `are both "z" for sqlx, so one of them gets the value of the other or none`
	G int `toml:"t"`
	H int `toml:"t"` // want `are both "t" for toml, which leaves both out`
	P int `bson:"bb"`
	Q int `bson:"bb"` // want `are both "bb" for bson, which refuses the whole type`
}

// The tagged one wins.
type Loser struct {
	Title string `json:"Name"`
	Name  string // want `Loser.Title and Loser.Name are both "Name" for encoding/json, which leaves Loser.Name out, whose name is no tag`
}

type Lower struct {
	A string `yaml:"b"`
	B string // want `are both "b" for yaml, which refuses the whole type`
}

type One struct {
	ID int `json:"id" yaml:"id" bson:"id"`
}

type Two struct {
	ID int `json:"id" yaml:"id" bson:"id"`
}

type Embeds struct {
	One
	Two        // want `Embeds.One...ID and Embeds.Two...ID are both "id" for encoding/json, which leaves both out`
	X   string `json:"x"`
}

// No tag of its own.
type Both struct {
	One
	*Two // want `Both.One...ID and Both.Two...ID are both "id" for encoding/json, which leaves both out`
}

// The outer field settles it for encoding/json.
type Settled struct {
	One
	*Two
	ID string `json:"id"`
}

// Embedded structs with names of their own are fields like others, and yaml and
// bson flatten nothing without inline.
type Named struct {
	One `json:"one" yaml:"one" bson:"one"`
	Two `json:"two" yaml:"two" bson:"two"`
	ID  int `yaml:"id" bson:"id" json:"id"`
}

type Inlined struct {
	One `yaml:",inline" bson:",inline" json:"-"`
	Two `yaml:",inline" bson:",inline" json:"-"` // want `are both "id" for yaml` `are both "id" for bson`
}

// The outer field settles it for bson, but not for yaml.
type Over struct {
	One `yaml:",inline" bson:",inline" json:"-"`
	ID  int `yaml:"id" bson:"id"` // want `Over.One...ID and Over.ID are both "id" for yaml`
}

type Hidden struct {
	A int `json:"-"`
	B int `json:"-"`
	c int
	C int    `json:"C"`
	D string `json:"d"`
	E string `json:"D"`
	F string `form:"f"`
	G string `form:"f"`
}

// Two on one tag.
type Columns struct {
	A int `gorm:"column:a;size:3"`
	B int `gorm:"size:3;column:a"` // want `Columns.A and Columns.B are both "a" for gorm`
	C int `gorm:"column:a;->"`
	D int `gorm:"size:3"`
	E int `gorm:"size:3"`
}

type Together struct {
	A, B int `json:"ab"` // want `Together.A and Together.B are both "ab"`
}

type Recursive struct {
	*Recursive
	A int `json:"a"`
}

type XML struct {
	A    int `xml:"id,attr"`
	B    int `xml:"id"`
	C    int `xml:"path>c"`
	D    int `xml:"path>d"`
	E    int `xml:"path"` // want `XML.C and XML.E are both "path" for encoding/xml, which refuses the whole type`
	Text int `xml:",chardata"`
}
