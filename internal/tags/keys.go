package tags

import (
	"slices"
	"strings"
)

// Style is the grammar of a key's values.
type Style int

// The grammars. Of a value in the style Free nothing is known.
const (
	Free     Style = iota
	Named          // name,option,option
	Settings       // name:value;name:value, as gorm has them
	Rules          // rule,rule=parameter|rule, as validators have them
	Proto          // wire,number,label,name=...
	ASN1           // option,option, without a name
)

// A Key is what is known of the libraries that read a key.
type Key struct {
	Name string
	// Library is the name of the reader in messages.
	Library string
	Style   Style
	// Options are the options that any of the readers knows; one that ends in a
	// colon or an equals sign takes a parameter.
	Options []string
	// Foreign are further options that other, less known readers of the key know.
	// They are legal, but no misspelt option is likely to mean one of them.
	Foreign []string
	// Open says that the readers' options cannot be listed: only near misses of
	// the known ones are faults.
	Open bool
	// OptionNames are options that are so rarely names that one standing for the
	// name is a lost comma.
	OptionNames []string
	// Strict says that the reader finds its tag by reflect.StructTag, so that a
	// tag in which the key occurs must have the conventional format.
	Strict bool
	// Exported says that the readers do not see unexported fields.
	Exported bool
	// Unique says that a second field with the same name is a fault.
	Unique bool
	// DashName says that a value that begins with "-," gives the field the name
	// "-", where "-" alone would hide it.
	DashName bool
}

// The libraries' options come from their documentation and, where that is silent,
// from the code that parses the tag.
var keys = []Key{
	{
		Name: "json", Library: "encoding/json", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true,
		// The second line is that of encoding/json/v2.
		Options: []string{
			"omitempty", "omitzero", "string",
			"inline", "embed", "unknown", "case:", "format:",
		},
		// easyjson, go-zero and the OpenAPI clients of Stainless read json tags;
		// mapstructure is often told to.
		Foreign: []string{
			"required", "nocopy", "intern", "optional", "nullable", "default=", "options=", "range=", "env=", "inherit",
			"squash", "remain", "inline=", "flow", "optional=", "metadata", "nosplit",
		},
		OptionNames: []string{"omitempty", "omitzero", "inline", "string", "squash"},
	},
	{
		Name: "xml", Library: "encoding/xml", Style: Named, Strict: true, Exported: true, Unique: true,
		Options:     []string{"attr", "cdata", "chardata", "innerxml", "comment", "any", "omitempty"},
		OptionNames: []string{"omitempty", "chardata", "innerxml", "cdata"},
	},
	{
		Name: "yaml", Library: "yaml", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true,
		Options: []string{"omitempty", "flow", "inline"},
		// goccy/go-yaml has anchors and aliases.
		Foreign:     []string{"anchor", "anchor=", "alias", "alias=", "omitzero", "required", "optional", "default=", "string", "embed", "literal", "squash", "remain", "mapstructure"},
		OptionNames: []string{"omitempty", "inline", "flow"},
	},
	{
		Name: "toml", Library: "toml", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true,
		Options:     []string{"omitempty", "omitzero", "multiline", "inline", "commented", "literal"},
		Foreign:     []string{"required", "optional", "default=", "squash"},
		OptionNames: []string{"omitempty", "omitzero", "multiline", "inline"},
	},
	{
		Name: "bson", Library: "bson", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true,
		Options:     []string{"omitempty", "minsize", "truncate", "inline"},
		Foreign:     []string{"omitzero", "string", "required"},
		OptionNames: []string{"omitempty", "minsize", "inline"},
	},
	{
		Name: "mapstructure", Library: "mapstructure", Style: Named, Strict: true, Exported: true, Unique: true,
		Options:     []string{"squash", "remain", "omitempty", "omitzero"},
		Foreign:     []string{"required", "deep", "omitnil", "reverse", "optional", "default=", "inline", "string", "prefix"},
		OptionNames: []string{"squash", "remain", "omitempty"},
	},
	{
		Name: "koanf", Library: "koanf", Style: Named, Strict: true, Exported: true, Unique: true,
		Options:     []string{"squash", "remain", "omitempty"},
		Foreign:     []string{"flatten", "inline"},
		OptionNames: []string{"squash", "remain", "omitempty"},
	},
	{
		Name: "db", Library: "sqlx", Style: Named, Strict: true, Exported: true, Unique: true, Open: true,
		Options:     []string{"omitempty", "primarykey", "autoincrement"},
		OptionNames: []string{"omitempty", "primarykey", "autoincrement"},
	},
	{
		Name: "datastore", Library: "datastore", Style: Named, Strict: true, Exported: true, Unique: true,
		Options:     []string{"noindex", "omitempty", "flatten"},
		OptionNames: []string{"noindex", "omitempty", "flatten"},
	},
	{
		Name: "firestore", Library: "firestore", Style: Named, Strict: true, Exported: true, Unique: true,
		Options:     []string{"omitempty", "serverTimestamp"},
		OptionNames: []string{"omitempty", "serverTimestamp"},
	},
	{
		Name: "dynamodbav", Library: "attributevalue", Style: Named, Strict: true, Exported: true, Unique: true,
		Options: []string{
			"omitempty", "omitemptyelem", "nullempty", "nullemptyelem", "binaryset", "numberset", "stringset", "unixtime", "string", "omitzero",
		},
		OptionNames: []string{"omitempty", "omitemptyelem", "unixtime", "stringset", "numberset", "binaryset"},
	},
	{
		Name: "dynamo", Library: "dynamo", Style: Named, Strict: true, Exported: true, Unique: true, Open: true,
		Options:     []string{"omitempty", "hash", "range", "set", "unixtime"},
		OptionNames: []string{"omitempty", "unixtime"},
	},
	{
		Name: "msgpack", Library: "msgpack", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true, Open: true,
		Options:     []string{"omitempty", "inline", "noinline", "as_array", "intern", "alias:"},
		OptionNames: []string{"omitempty", "noinline", "inline"},
	},
	{
		Name: "codec", Library: "codec", Style: Named, Strict: true, Exported: true, Unique: true, Open: true,
		Options:     []string{"omitempty", "toarray", "omitemptyarray"},
		OptionNames: []string{"omitempty", "toarray"},
	},
	{
		Name: "cbor", Library: "cbor", Style: Named, Strict: true, Exported: true, Unique: true, DashName: true, Open: true,
		Options:     []string{"omitempty", "omitzero", "keyasint", "toarray"},
		OptionNames: []string{"omitempty", "omitzero", "keyasint", "toarray"},
	},
	{
		Name: "avro", Library: "avro", Style: Named, Strict: true, Exported: true, Unique: true, Open: true,
		Options: []string{"omitempty"}, OptionNames: []string{"omitempty"},
	},
	{
		Name: "csv", Library: "csv", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"omitempty", "default="}, OptionNames: []string{"omitempty"},
	},
	{
		Name: "url", Library: "go-querystring", Style: Named, Strict: true, Exported: true, Open: true,
		Options:     []string{"omitempty", "omitzero", "unix", "unixmilli", "unixnano", "comma", "space", "semicolon", "brackets", "numbered", "int", "dotted", "indent"},
		OptionNames: []string{"omitempty", "omitzero", "unixmilli", "unixnano", "semicolon", "brackets"},
	},
	{
		Name: "schema", Library: "gorilla/schema", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"omitempty", "required", "default:"}, OptionNames: []string{"omitempty"},
	},
	{
		Name: "form", Library: "form binding", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"omitempty", "default="}, OptionNames: []string{"omitempty"},
	},
	{
		Name: "query", Library: "query binding", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"omitempty", "default="}, OptionNames: []string{"omitempty"},
	},
	{Name: "header", Library: "header binding", Style: Named, Strict: true, Exported: true, Open: true, Options: []string{"omitempty"}, OptionNames: []string{"omitempty"}},
	{Name: "uri", Library: "uri binding", Style: Named, Strict: true, Exported: true, Open: true, Options: []string{"omitempty"}, OptionNames: []string{"omitempty"}},
	{Name: "param", Library: "path binding", Style: Named, Exported: true, Open: true},
	{Name: "path", Style: Free},
	{Name: "cookie", Style: Free},
	{
		Name: "env", Library: "env", Style: Named, Open: true,
		Options:     []string{"required", "notEmpty", "unset", "file", "expand", "init", "overwrite", "noinit", "decodeunset", "default=", "prefix=", "delimiter=", "separator="},
		OptionNames: []string{"notEmpty", "noinit", "decodeunset"},
	},
	{
		Name: "envconfig", Library: "envconfig", Style: Named, Exported: true, Open: true,
		Options: []string{"default=", "optional"},
	},
	{Name: "redis", Library: "redis", Style: Named, Exported: true, Strict: true, Open: true, Options: []string{"omitempty"}, OptionNames: []string{"omitempty"}},
	{
		Name: "ini", Library: "ini", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"omitempty", "allowshadow", "extends", "nonunique"}, OptionNames: []string{"omitempty"},
	},
	{
		Name: "hcl", Library: "hcl", Style: Named, Strict: true, Exported: true, Open: true,
		Options: []string{"attr", "block", "label", "optional", "remain", "body", "key", "squash", "unusedKeys", "decodedFields", "expand", "object", "def_range", "attr_range", "attr_name_range", "attr_value_range", "type_range", "label_range"},
	},
	{Name: "cty", Library: "gocty", Style: Named, Strict: true, Exported: true, Open: true},
	{
		Name: "structs", Library: "structs", Style: Named, Exported: true, Open: true,
		Options: []string{"omitempty", "omitnested", "flatten", "string"}, OptionNames: []string{"omitempty", "omitnested"},
	},
	{
		Name: "asn1", Library: "encoding/asn1", Style: ASN1, Strict: true,
		Options: []string{
			"optional", "explicit", "application", "private", "set", "omitempty", "generalized", "utc",
			"ia5", "printable", "numeric", "utf8", "tag:", "default:",
		},
	},
	{
		Name: "gorm", Library: "gorm", Style: Settings, Strict: true, Open: true, Unique: true,
		Options: []string{
			"column", "type", "serializer", "size", "primaryKey", "primary_key", "unique", "default", "precision", "scale",
			"not null", "autoIncrement", "auto_increment", "autoIncrementIncrement", "embedded", "embeddedPrefix", "embedded_prefix",
			"autoCreateTime", "autoUpdateTime", "index", "unique_index", "uniqueIndex", "check", "comment",
			"foreignKey", "references", "polymorphic", "polymorphicType", "polymorphicId", "polymorphicValue", "many2many",
			"joinForeignKey", "joinReferences", "constraint", "save_associations", "association_autoupdate", "association_autocreate",
			"association_save_reference", "preload", "foreignkey", "association_foreignkey", "jointable_foreignkey",
			"association_jointable_foreignkey", "softDelete", "expression", "length", "class", "where", "sort", "collate", "option", "priority",
			"charset", "unsigned", "noindex", "read_only", "primarykey", "autoincrement", "uniqueindex", "default_value", "varchar", "char",
		},
	},
	{Name: "sql", Style: Free, Strict: true},
	{Name: "xorm", Style: Free, Strict: true},
	{Name: "pg", Style: Free, Strict: true},
	{Name: "bun", Style: Free, Strict: true},
	{Name: "orm", Style: Free, Strict: true},
	{Name: "validate", Library: "validator", Style: Rules, Strict: true},
	{Name: "valid", Library: "govalidator", Style: Rules, Strict: true},
	{Name: "binding", Library: "validator", Style: Rules, Strict: true},
	{Name: "protobuf", Library: "protobuf", Style: Proto, Strict: true, Exported: true},

	// Keys of which it is only known that they exist. They are here lest they be
	// taken for a misspelt neighbour, and to be suggested for a misspelt key.
	{Name: "jsonb"}, {Name: "json5"}, {Name: "jsonc"}, {Name: "bsonx"}, {Name: "envs"}, {Name: "envPrefix"}, {Name: "forms"},
	{Name: "jsonschema"}, {Name: "jsonapi"}, {Name: "jsonpb"}, {Name: "hjson"}, {Name: "xjson"}, {Name: "vars"}, {Name: "urls"},
	{Name: "description"}, {Name: "example"}, {Name: "default"}, {Name: "enums"}, {Name: "enum"}, {Name: "format"},
	{Name: "patchStrategy"}, {Name: "patchMergeKey"}, {Name: "listType"}, {Name: "protobuf_oneof"}, {Name: "protobuf_key"}, {Name: "protobuf_val"},
	{Name: "flag"}, {Name: "flags"}, {Name: "usage"}, {Name: "short"}, {Name: "long"}, {Name: "help"}, {Name: "command"}, {Name: "required"},
	{Name: "choice"}, {Name: "choices"}, {Name: "optional"}, {Name: "envDefault"}, {Name: "envSeparator"}, {Name: "env-default"}, {Name: "env-required"}, {Name: "env-description"}, {Name: "envdefault"},
	{Name: "swaggertype"}, {Name: "swaggerignore"}, {Name: "extensions"}, {Name: "minimum"}, {Name: "maximum"}, {Name: "binding_msg"},
	{Name: "datapolicy"}, {Name: "thrift"}, {Name: "tfsdk"}, {Name: "graphql"}, {Name: "faker"}, {Name: "deepcopier"}, {Name: "copier"}, {Name: "parser"},
	{Name: "rql"}, {Name: "locationName"}, {Name: "location"}, {Name: "sensitive"}, {Name: "title"}, {Name: "label"},
}

var keyByName = func() map[string]*Key {
	m := make(map[string]*Key, len(keys))
	for i := range keys {
		m[keys[i].Name] = &keys[i]
	}
	return m
}()

// LookupKey returns what is known of a key, or nil.
func LookupKey(name string) *Key { return keyByName[name] }

// repeatable are the keys of which libraries read every occurrence in a tag:
// those of github.com/jessevdk/go-flags and of those that took them over.
var repeatable = []string{"choice", "default", "optional-value", "default-mask", "alias", "aliases", "choices", "example", "enum", "xor", "and"}

// Repeatable tells whether a library reads a key several times out of one tag.
func Repeatable(key string) bool { return slices.Contains(repeatable, key) }

// HasOption tells whether any reader of the key knows the option.
func (k *Key) HasOption(option string) bool {
	return hasOption(k.Options, option) || hasOption(k.Foreign, option)
}

func hasOption(list []string, option string) bool {
	for _, o := range list {
		if c := o[len(o)-1]; option == o || (c == ':' || c == '=') && strings.HasPrefix(option, o) {
			return true
		}
	}
	return false
}

// isOptionWord tells whether any key has the option.
func isOptionWord(word string) bool {
	switch word {
	case "omitempty", "omitzero", "inline", "squash", "string", "noindex", "required":
		return true
	}
	return false
}

// ParseKeys reads the value of the flag that adds keys: a list of
// name[:option|option...], separated by commas. The added keys have a name that
// must be unique, followed by options, and do not see unexported fields.
func ParseKeys(list string) []Key {
	var added []Key
	for item := range strings.SplitSeq(list, ",") {
		name, options, _ := strings.Cut(strings.TrimSpace(item), ":")
		if name == "" {
			continue
		}
		k := Key{Name: name, Library: name, Style: Named, Strict: true, Exported: true, Unique: true, Open: options == ""}
		if options != "" {
			k.Options = strings.Split(options, "|")
		}
		added = append(added, k)
	}
	return added
}
