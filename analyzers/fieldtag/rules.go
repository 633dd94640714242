package fieldtag

import "github.com/heapvet/heapvet/internal/check"

const text = `A struct tag is a string that the compiler does not read. A slip in it is no
error: the field has another name on the wire, stays empty after a read, or is sent
although it should not be, and nobody is told.

The check knows what the libraries that read tags make of them: encoding/json (and the
options of its second version), encoding/xml, encoding/asn1, yaml, toml, bson,
mapstructure, sqlx, gorm, validator, form and query binding, datastore, firestore,
dynamodb, msgpack, cbor, protobuf and others. It reports what their code does not do,
not what looks unusual: names are compared by each library's own rules of promotion
through embedding, and options are checked against the type of the field. Of a key that
it does not know it reports nothing but a misspelling of a known one. More keys are
added with -fieldtag.keys=name:option|option,...

A tag in which no key takes part that is read through reflect.StructTag is left alone,
unless it consists of keys with quoted values: it may be a grammar of its own, as in
participle or kong.

In packages of Kubernetes API types (with markers such as +groupName or
+kubebuilder:object, or with objects that embed TypeMeta) the rules k8s-* apply to the
types that an object is made of. -fieldtag.k8s=false turns them off everywhere,
-fieldtag.k8s turns them on everywhere.

Generated files and test files are skipped, unless -fieldtag.generated or
-fieldtag.tests is set.

What go vet's structtag or staticcheck's SA5008 report on their own test inputs, and
this check does not: tags that are bare words or have no key, if no known key takes part
(somebody's own grammar); the name of an embedded struct in an xml tag (encoding/xml does
not read it); the keys choice, default and optional-value twice in one tag (go-flags reads
them all, and the import may be in another package); the option string on a type
parameter that may be instantiated with a type that it works for; unexported fields of a
type that encodes or decodes itself. They are listed in docs/evaluation-fieldtag.md.`

var rules = append(tagRules, k8sRules...)

var tagRules = []check.Rule{
	{
		Name:  "syntax",
		Title: "the tag does not have the conventional format, or has a key twice",
		Text: `The conventional format is key:"value", with one blank between pairs. At the first
deviation reflect stops and finds neither this pair nor those behind it; of a key that
is there twice it finds the first. The message says which deviation it is, and most have
a fix.`,
		Wrong: "type T struct {\n\tName string `json: \"name\"`\n\tSize int    `json:\"size\",xml:\"size\"`\n}",
		Right: "type T struct {\n\tName string `json:\"name\"`\n\tSize int    `json:\"size\" xml:\"size\"`\n}",
	},
	{
		Name:  "key",
		Title: "the key is misspelt",
		Text: `A key that nobody knows and that is one slip of the hand away from one that the fields
beside it use. A key that the package itself names in a string is its own.`,
		Wrong: "type T struct {\n\tName string `json:\"name\"`\n\tSize int    `jsno:\"size\"`\n}",
		Right: "type T struct {\n\tName string `json:\"name\"`\n\tSize int    `json:\"size\"`\n}",
	},
	{
		Name:  "name",
		Title: "the name is an option, or has a blank at an end, or is \"-\" by accident",
		Text: `An option in the place of the name renames the field: the comma is missing. Options
that fit the Go name, such as Required and "required", are names. A tag "-," names the
field "-" instead of hiding it, unless other names of the struct are signs as well.`,
		Wrong: "type T struct {\n\tName string `json:\"omitempty\"`\n\tKey  string `json:\"-,omitempty\"`\n}",
		Right: "type T struct {\n\tName string `json:\",omitempty\"`\n\tKey  string `json:\"-\"`\n}",
	},
	{
		Name:  "option",
		Title: "the option is unknown, misspelt or there twice",
		Text: `Most libraries ignore an option that they do not know; yaml refuses the type. Of the
keys whose readers are many, such as db or form, only misspelt options are reported. An
option that another key of the same tag knows is taken for a copy and left alone.`,
		Wrong: "type T struct {\n\tName string `json:\"name,omitemtpy\"`\n}",
		Right: "type T struct {\n\tName string `json:\"name,omitempty\"`\n}",
	},
	{
		Name:  "effect",
		Title: "the option has no effect on a field of this type",
		Text: `encoding/json and encoding/xml never take a struct (time.Time is one) or an array with
elements for empty, so omitempty does nothing there; omitzero does what was meant. The
option string of encoding/json quotes strings, numbers, booleans and pointers to them
only. The metadata, spec and status of Kubernetes objects are left alone, and so are
packages that use encoding/json/v2.`,
		Wrong: "type T struct {\n\tSeen time.Time `json:\"seen,omitempty\"`\n\tIDs  []int64   `json:\"ids,string\"`\n}",
		Right: "type T struct {\n\tSeen time.Time `json:\"seen,omitzero\"`\n\tIDs  []int64   `json:\"ids\"`\n}",
	},
	{
		Name:  "default",
		Title: "omitempty leaves out a zero in whose place a default comes",
		Text: `A boolean or number with omitempty and, in the key default, a default that is not zero:
false or 0 is left out, and the reader fills in the default. It can never be switched off.`,
		Wrong: "type T struct {\n\tExtract bool `json:\"extract,omitempty\" default:\"true\"`\n}",
		Right: "type T struct {\n\tExtract *bool `json:\"extract,omitempty\" default:\"true\"`\n}",
	},
	{
		Name:  "duplicate",
		Title: "two fields have one name",
		Text: `Through embedded structs too, by the rules of the library: encoding/json leaves both
out unless one lies less deep or is the only one with a tag; yaml and bson flatten only
what says inline, and refuse the type; encoding/xml keeps attributes and elements apart
and compares paths. Names that differ in their case alone are legal.`,
		Wrong: "type T struct {\n\tID   string `json:\"id\"`\n\tUser string `json:\"id\"`\n}",
		Right: "type T struct {\n\tID   string `json:\"id\"`\n\tUser string `json:\"user\"`\n}",
	},
	{
		Name:  "unexported",
		Title: "the library cannot see the field",
		Text: `A tag with a name on an unexported field, for a key whose libraries read exported
fields only. Keys that code generators or validators read are not meant.`,
		Wrong: "type T struct {\n\tsize int `toml:\"size\"`\n}",
		Right: "type T struct {\n\tSize int `toml:\"size\"`\n}",
	},
	{
		Name:  "inline",
		Title: "a struct is nested that was meant to be flattened",
		Text: `encoding/json flattens an embedded field without a name and nothing else; its option
inline exists in the second version alone. bson flattens only what says inline, so an
embedded struct without a tag, in a struct whose other fields have bson tags, lands in a
document of its own.`,
		Wrong: "type T struct {\n\tCommon Common `json:\",inline\"`\n}",
		Right: "type T struct {\n\tCommon `json:\",inline\"`\n}",
	},
	{
		Name:  "swap",
		Title: "fields have each other's names",
		Wrong: "type T struct {\n\tStart int64 `json:\"end\"`\n\tEnd   int64 `json:\"start\"`\n}",
		Right: "type T struct {\n\tStart int64 `json:\"start\"`\n\tEnd   int64 `json:\"end\"`\n}",
	},
	{
		Name:  "mismatch",
		Title: "the names for two keys differ by a slip of the hand",
		Text: `One or two edits apart, where one is the Go name and the other is not, in a struct
whose other fields mostly have one name for both keys. Other words and other styles are
taken for intended.`,
		Wrong: "type T struct {\n\tFactor     int `json:\"factor\" yaml:\"factor\"`\n\tInitial    int `json:\"initial\" yaml:\"initial\"`\n\tThereafter int `json:\"therafter\" yaml:\"thereafter\"`\n}",
		Right: "type T struct {\n\tFactor     int `json:\"factor\" yaml:\"factor\"`\n\tInitial    int `json:\"initial\" yaml:\"initial\"`\n\tThereafter int `json:\"thereafter\" yaml:\"thereafter\"`\n}",
	},
	{
		Name:  "conflict",
		Title: "the names for two keys differ in one field of the struct",
		Text:  "Off by default: different formats may well have different words. The rule mismatch finds the slips.",
		Wrong: "type T struct {\n\tHost string `json:\"host\" yaml:\"host\"`\n\tPort int    `json:\"port\" yaml:\"port\"`\n\tUser string `json:\"user\" yaml:\"user\"`\n\tFile string `json:\"file\" yaml:\"path\"`\n}",
		Right: "type T struct {\n\tHost string `json:\"host\" yaml:\"host\"`\n\tPort int    `json:\"port\" yaml:\"port\"`\n\tUser string `json:\"user\" yaml:\"user\"`\n\tFile string `json:\"file\" yaml:\"file\"`\n}",
		Off:   true,
	},
	{
		Name:  "type",
		Title: "the library cannot encode the type",
		Text: `A channel, a function, a complex number, a map with keys that are neither strings nor
integers nor encode themselves as text (and any map, for encoding/xml), alone or in a
slice, map or pointer. Whether a value contains itself shows at run time only and is
not reported.`,
		Wrong: "type T struct {\n\tDone chan bool `json:\"done\"`\n}",
		Right: "type T struct {\n\tDone chan bool `json:\"-\"`\n}",
	},
	{
		Name:  "validate",
		Title: "the validation rule is misspelt, or means something else",
		Text: `A rule that is a slip away from one of go-playground/validator or govalidator and that
the package does not name elsewhere; a comma in a parameter, at which the validator ends
the rule; required on a plain boolean, which refuses false, unless the name speaks of
consent. Other unknown rules may be registered anywhere and are not reported.`,
		Wrong: "type T struct {\n\tName string `validate:\"requried\"`\n\tMode string `validate:\"oneof='a' 'b,c'\"`\n}",
		Right: "type T struct {\n\tName string `validate:\"required\"`\n\tMode string `validate:\"oneof='a' 'b0x2Cc'\"`\n}",
	},
	{
		Name:  "proto",
		Title: "the protobuf tag contradicts another or the type",
		Text:  "Field numbers or names that are there twice, numbers outside the allowed range, and wire types that do not fit the Go type.",
		Wrong: "type T struct {\n\tName string `protobuf:\"bytes,1,opt,name=name\"`\n\tSize int32  `protobuf:\"bytes,1,opt,name=size\"`\n}",
		Right: "type T struct {\n\tName string `protobuf:\"bytes,1,opt,name=name\"`\n\tSize int32  `protobuf:\"varint,2,opt,name=size\"`\n}",
	},
	{
		Name:  "xml",
		Title: "encoding/xml refuses the tag, or never fills the field",
		Text: `Tags for which encoding/xml returns an error for the whole type: options that exclude
each other, a path with attr, a name other than that in the XMLName of the field's type.
And, in a package that decodes XML and does not encode it, a name with a prefix: the
decoder compares local names.`,
		Wrong: "type T struct {\n\tRel  string `xml:\"meta>rel,attr\"`\n\tText string `xml:\",chardata,innerxml\"`\n}",
		Right: "type T struct {\n\tRel  string `xml:\"rel,attr\"`\n\tText string `xml:\",chardata\"`\n}",
	},
}

var k8sRules = []check.Rule{
	{
		Name:  "k8s-missing",
		Title: "an API field has no json tag",
		Wrong: "type FooSpec struct {\n\tReplicas int32 `json:\"replicas\"`\n\tPaused   bool\n}",
		Right: "type FooSpec struct {\n\tReplicas int32 `json:\"replicas\"`\n\tPaused   bool  `json:\"paused\"`\n}",
	},
	{
		Name:  "k8s-case",
		Title: "a json name is not in lowerCamelCase",
		Wrong: "type FooSpec struct {\n\tMaxSize int32 `json:\"max_size\"`\n}",
		Right: "type FooSpec struct {\n\tMaxSize int32 `json:\"maxSize\"`\n}",
	},
	{
		Name:  "k8s-name",
		Title: "a json name does not go back to the Go name",
		Text:  "Initials are compared without case, and a json name may say more than the Go name or less, as long as one begins with the other or shares its first word.",
		Wrong: "type FooSpec struct {\n\tID string `json:\"vmID\"`\n}",
		Right: "type FooSpec struct {\n\tVMID string `json:\"vmID\"`\n}",
	},
	{
		Name:  "k8s-dash",
		Title: "a field that is marked as part of the API is kept out of it",
		Text:  "A bare \"-\" on a field with markers such as +optional. Without them it is taken for intended.",
		Wrong: "type FooSpec struct {\n\t// +optional\n\tPaused *bool `json:\"-\"`\n}",
		Right: "type FooSpec struct {\n\t// +optional\n\tPaused *bool `json:\"paused,omitempty\"`\n}",
	},
	{
		Name:  "k8s-optional",
		Title: "an optional field is always sent, or its zero cannot be sent",
		Text: `A field that is marked +optional needs omitempty or omitzero; a struct needs omitzero
or a pointer, and a number or boolean with a default other than zero a pointer.`,
		Wrong: "type FooSpec struct {\n\t// +optional\n\tHost string `json:\"host\"`\n\t// +optional\n\tRef Ref `json:\"ref,omitempty\"`\n}",
		Right: "type FooSpec struct {\n\t// +optional\n\tHost string `json:\"host,omitempty\"`\n\t// +optional\n\tRef *Ref `json:\"ref,omitempty\"`\n}",
	},
	{
		Name:  "k8s-required",
		Title: "a required field may be left out",
		Text: `A field that is marked +required, with omitempty, without a marker that excludes the
zero: a client written in Go leaves out a zero that was set on purpose. By the newer
convention a client should not send a zero that was never set; in a package that follows
it (five such fields or more) only a field beside others that are always sent is
reported.`,
		Wrong: "type FooSpec struct {\n\t// +required\n\tName string `json:\"name\"`\n\t// +required\n\tKind string `json:\"kind\"`\n\t// +required\n\tHost string `json:\"host,omitempty\"`\n}",
		Right: "type FooSpec struct {\n\t// +required\n\tName string `json:\"name\"`\n\t// +required\n\tKind string `json:\"kind\"`\n\t// +required\n\tHost string `json:\"host\"`\n}",
	},
	{
		Name:  "k8s-marker",
		Title: "markers contradict each other or are misspelt",
		Wrong: "type FooSpec struct {\n\t// +optional\n\t// +kubebuilder:validation:Required\n\tSize int32 `json:\"size\"`\n}",
		Right: "type FooSpec struct {\n\t// +required\n\tSize int32 `json:\"size\"`\n}",
	},
	{
		Name:  "k8s-meta",
		Title: "the meta types are not embedded as the API machinery expects",
		Text:  "TypeMeta is flattened; ObjectMeta and ListMeta are named metadata.",
		Wrong: "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype Foo struct {\n\tmetav1.TypeMeta   `json:\"typeMeta\"`\n\tmetav1.ObjectMeta `json:\"meta\"`\n}",
		Right: "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype Foo struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n}",
	},
	{
		Name:  "k8s-list",
		Title: "the list markers are inconsistent",
		Text:  "+listType is on something else than a list, or has another value than map, set and atomic, or is map without a +listMapKey that names a field of the elements.",
		Wrong: "type FooSpec struct {\n\t// +listType=map\n\tPorts []Port `json:\"ports\"`\n}",
		Right: "type FooSpec struct {\n\t// +listType=map\n\t// +listMapKey=name\n\tPorts []Port `json:\"ports\"`\n}",
	},
	{
		Name:  "k8s-patch",
		Title: "the tags for strategic merge patches are inconsistent",
		Text:  "patchMergeKey stands on something else than a list, names no field of the elements, or has no patchStrategy beside it: patches then replace the list.",
		Wrong: "type FooSpec struct {\n\tPorts []Port `json:\"ports\" patchMergeKey:\"name\"`\n}",
		Right: "type FooSpec struct {\n\tPorts []Port `json:\"ports\" patchStrategy:\"merge\" patchMergeKey:\"name\"`\n}",
	},
	{
		Name:  "k8s-proto",
		Title: "the protobuf name is not the json name",
		Wrong: "type FooSpec struct {\n\tHost string `json:\"host\" protobuf:\"bytes,1,opt,name=hostname\"`\n}",
		Right: "type FooSpec struct {\n\tHost string `json:\"host\" protobuf:\"bytes,1,opt,name=host\"`\n}",
	},
}
