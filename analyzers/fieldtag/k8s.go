package fieldtag

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/kubeapi"
	"github.com/heapvet/heapvet/internal/tags"
)

// isKubernetes tells whether the rules for Kubernetes API types apply: the flag
// says so, or a marker of API types is in the package, or a type in it embeds the
// type meta of the API machinery.
func (p *pkg) isKubernetes() bool {
	if p.kubernetes == nil {
		is := p.looksLikeKubernetes()
		p.kubernetes = &is
	}
	return *p.kubernetes
}

func (p *pkg) looksLikeKubernetes() bool {
	if options.k8s.set {
		return options.k8s.value
	}
	if len(p.structs) == 0 {
		return false
	}
	for _, file := range p.pass.Files {
		for _, group := range file.Comments {
			for _, m := range kubeapi.Markers(group) {
				if m.MarksAPI() {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(p.structs, func(s *structure) bool { return s.embedsTypeMeta() })
}

// embedsTypeMeta tells whether the struct is an API object.
func (s *structure) embedsTypeMeta() bool {
	return slices.ContainsFunc(s.fields, func(f *field) bool {
		named, ok := types.Unalias(f.v.Type()).(*types.Named)
		return ok && f.v.Embedded() && named.Obj().Name() == "TypeMeta"
	})
}

// isAPI tells whether a struct is part of the API.
func (p *pkg) isAPI(s *structure) bool {
	if !p.isKubernetes() {
		return false
	}
	if p.api == nil {
		p.api = map[*structure]bool{}
		for _, s := range p.apiTypes() {
			p.api[s] = true
		}
	}
	return p.api[s]
}

// checkSpelling reports misspelt markers at what they are for: at a position, if it
// is valid, or at a node.
func (p *pkg) checkSpelling(markers []kubeapi.Marker, node ast.Node, at token.Pos) {
	if !at.IsValid() {
		at = node.Pos()
	}
	for _, m := range markers {
		meant := m.Misspelt()
		if meant == "" {
			continue
		}
		end := m.Pos + token.Pos(1+len(m.Name))
		p.pass.Report(analysis.Diagnostic{
			Pos: at, End: node.End(), Category: "k8s-marker",
			Message: fmt.Sprintf("the marker +%s must be +%s; no tool knows it", m.Name, meant),
			Related: []analysis.RelatedInformation{{Pos: m.Pos, End: end, Message: "the marker"}},
			SuggestedFixes: []analysis.SuggestedFix{{
				Message:   "write +" + meant,
				TextEdits: []analysis.TextEdit{{Pos: m.Pos + 1, End: end, NewText: []byte(meant)}},
			}},
		})
	}
}

// apiTypes returns the structs that are part of the API: those that are reached
// from an object, or all if the package has no object.
func (p *pkg) apiTypes() []*structure {
	var named []*structure
	byType := map[*types.Named]*structure{}
	for _, s := range p.structs {
		if s.named != nil && s.spec.Name.IsExported() && s.hasJSON() {
			named = append(named, s)
			byType[s.named] = s
		}
	}
	if p.internalVersion() {
		return nil
	}
	reached := map[*structure]bool{}
	for _, s := range named {
		if s.embedsTypeMeta() || s.isRoot() {
			reach(s, byType, reached)
		}
	}
	if len(reached) == 0 {
		return named
	}
	return slices.DeleteFunc(named, func(s *structure) bool { return !reached[s] })
}

// internalVersion tells whether most fields of the package have no json tag: such
// types are the internal version of an API, which is never encoded.
func (p *pkg) internalVersion() bool {
	with, without := 0, 0
	for _, file := range p.files {
		for _, decl := range file.Decls {
			w, wo := countJSON(decl)
			with, without = with+w, without+wo
		}
	}
	return without > with
}

// countJSON counts the fields of the exported struct types of a declaration with and
// without a json tag.
func countJSON(decl ast.Decl) (with, without int) {
	gen, ok := decl.(*ast.GenDecl)
	if !ok {
		return 0, 0
	}
	for _, spec := range gen.Specs {
		t, ok := spec.(*ast.TypeSpec)
		if !ok || !t.Name.IsExported() {
			continue
		}
		st, ok := t.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range st.Fields.List {
			if f.Tag != nil && strings.Contains(f.Tag.Value, "json:") {
				with++
			} else if len(f.Names) > 0 && f.Names[0].IsExported() {
				without++
			}
		}
	}
	return with, without
}

func (s *structure) hasJSON() bool {
	return slices.ContainsFunc(s.fields, func(f *field) bool { return f.tag.Lookup("json") != nil })
}

func (s *structure) isRoot() bool {
	for _, m := range kubeapi.Markers(s.doc) {
		if m.Name == "kubebuilder:object:root" && m.Value != "false" {
			return true
		}
	}
	return false
}

func reach(s *structure, byType map[*types.Named]*structure, reached map[*structure]bool) {
	if reached[s] {
		return
	}
	reached[s] = true
	for _, f := range s.fields {
		for _, n := range namedIn(f.v.Type(), 0) {
			if next := byType[n]; next != nil {
				reach(next, byType, reached)
			}
		}
	}
}

// namedIn returns the named types that a type is made of.
func namedIn(t types.Type, depth int) []*types.Named {
	if depth > 10 {
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if _, isStruct := t.Underlying().(*types.Struct); isStruct {
			return []*types.Named{t}
		}
		return namedIn(t.Underlying(), depth+1)
	case *types.Pointer:
		return namedIn(t.Elem(), depth+1)
	case *types.Slice:
		return namedIn(t.Elem(), depth+1)
	case *types.Array:
		return namedIn(t.Elem(), depth+1)
	case *types.Map:
		return namedIn(t.Elem(), depth+1)
	}
	return nil
}

// checkKubernetes applies the conventions to the API types of the package.
func (p *pkg) checkKubernetes() {
	for _, s := range p.apiTypes() {
		p.checkSpelling(kubeapi.Markers(s.doc), s.spec, token.NoPos)
		if s.encodesItself("json") {
			continue
		}
		policy := s.p.requiredOmitsEmpty()
		for _, f := range s.fields {
			if !f.v.Exported() {
				continue
			}
			k := apiField{field: f, marks: kubeapi.ReadField(f.decl.Doc)}
			if pair := f.tag.Lookup("json"); pair != nil {
				k.pair = pair
				k.jsonName, k.opts = tags.SplitOptions(pair.Value)
			}
			k.check(policy)
		}
	}
}

// newConvention is the number of required fields with omitempty that a package has
// if it follows the newer convention, by which a client does not send a zero that
// was never set, at least in part.
const newConvention = 5

// requiredOmitsEmpty tells whether the package follows the newer convention.
func (p *pkg) requiredOmitsEmpty() bool {
	n := 0
	for _, s := range p.structs {
		with, _ := s.required()
		n += with
	}
	return n >= newConvention
}

// required counts the required fields of a struct with and without omitempty.
func (s *structure) required() (with, without int) {
	for _, f := range s.fields {
		pair := f.tag.Lookup("json")
		switch {
		case pair == nil || kubeapi.ReadField(f.decl.Doc).Required == nil:
		case strings.Contains(pair.Value, ",omit"):
			with++
		default:
			without++
		}
	}
	return with, without
}

// An apiField is a field of an API type, with its markers and its json tag.
type apiField struct {
	*field
	marks    kubeapi.Field
	pair     *tags.Pair // nil if there is no json tag
	jsonName string
	opts     []tags.Part
}

func (k *apiField) check(requiredOmitsEmpty bool) {
	k.checkMarkers()
	if k.pair == nil {
		k.checkMissing()
		return
	}
	switch {
	case k.pair.Value == "-":
		k.checkDash()
		return
	case k.isMeta():
		k.checkMeta()
		return
	case k.v.Embedded() && k.jsonName == "":
		return
	}
	k.checkCase()
	k.checkOptional()
	k.checkRequired(requiredOmitsEmpty)
	k.checkList()
	k.checkPatch()
	k.checkProtoName()
}

// omits tells whether the zero value is left out.
func (k *apiField) omits() bool {
	return slices.ContainsFunc(k.opts, func(o tags.Part) bool { return o.Text == "omitempty" || o.Text == "omitzero" })
}

// checkMissing reports a field without a json tag.
func (k *apiField) checkMissing() {
	if k.tag.Meant("json") != nil {
		return // the rule syntax has reported it
	}
	if _, ok := k.value("protobuf"); ok || k.v.Embedded() && k.lit != nil {
		return
	}
	if k.v.Embedded() {
		k.s.p.reportAt("k8s-missing", k.decl, "the embedded %s of the API type %s has no json tag; write `json:\",inline\"`", k.v.Name(), k.s.named.Obj().Name())
		return
	}
	k.s.p.reportAt("k8s-missing", k.decl, "the API field %s has no json tag, so its name on the wire is %q", k.name(), k.v.Name())
}

// checkDash reports a field that is hidden although its markers or its protobuf
// number say that it is part of the API.
func (k *apiField) checkDash() {
	why := ""
	switch {
	case k.marks.Required != nil:
		why = "it is marked +" + k.marks.Required.Name
	case k.marks.Optional != nil:
		why = "it is marked +" + k.marks.Optional.Name
	case k.marks.Default != nil:
		why = "it has a default"
	case slices.ContainsFunc(k.marks.Markers, func(m kubeapi.Marker) bool { return strings.HasPrefix(m.Name, "kubebuilder:validation:") }):
		why = "it has validation markers"
	default:
		return
	}
	k.reportPair("k8s-dash", k.pair, nil, "json:\"-\" keeps %s out of the API, although %s", k.name(), why)
}

// isMeta tells whether the field is one of the three that the API machinery defines.
func (k *apiField) isMeta() bool {
	if !k.v.Embedded() {
		return false
	}
	switch k.v.Name() {
	case "TypeMeta", "ObjectMeta", "ListMeta":
		return true
	}
	return false
}

// checkMeta judges the tags of the embedded meta types.
func (k *apiField) checkMeta() {
	if k.v.Name() == "TypeMeta" {
		if k.jsonName != "" {
			k.reportPair("k8s-meta", k.pair, k.renamed(",inline", k.pair.ValueEnd), "the embedded TypeMeta of %s must be flattened, but has the name %q", k.s.named.Obj().Name(), k.jsonName)
		}
		return
	}
	if k.jsonName != "metadata" {
		k.reportPair("k8s-meta", k.pair, k.renamed("metadata", k.pair.ValueStart+len(k.jsonName)), "the %s of %s must be named metadata, not %q", k.v.Name(), k.s.named.Obj().Name(), k.jsonName)
	}
}

// renamed makes the fix that writes something else for the value up to end.
func (k *apiField) renamed(text string, end int) []analysis.SuggestedFix {
	if k.pair.Escaped {
		return nil
	}
	return k.fix(fmt.Sprintf("write %q", text), tags.Edit{Start: k.pair.ValueStart, End: end, New: text})
}

// checkCase judges the json name.
func (k *apiField) checkCase() {
	goName := k.v.Name()
	switch {
	case k.jsonName == "":
		if inline := slices.ContainsFunc(k.opts, func(o tags.Part) bool { return o.Text == "inline" }); !inline {
			k.reportPair("k8s-case", k.pair, nil, "the json tag of %s has no name, so its name on the wire is %q", k.name(), goName)
		}
	case !kubeapi.IsLowerCamel(k.jsonName):
		if k.s.mirrors() {
			return
		}
		k.reportPair("k8s-case", k.pair, nil, "the json name %q of %s is not in lowerCamelCase", k.jsonName, k.name())
	case !k.v.Embedded() && !related(goName, k.jsonName):
		k.reportPair("k8s-name", k.pair, nil, "the json name %q of %s is not its Go name in lowerCamelCase, %q", k.jsonName, k.name(), kubeapi.LowerCamel(goName))
	}
}

// mirrors tells whether the struct mirrors a format that is not of Kubernetes: several
// names are in one other style, and none of more than one word is in lowerCamelCase.
func (s *structure) mirrors() bool {
	const several = 4
	n, style := 0, kubeapi.Camel
	for _, f := range s.fields {
		name := f.nameOf("json")
		this := kubeapi.StyleOf(name)
		if name == "" || this == kubeapi.OneWord {
			continue
		}
		if n > 0 && this != style {
			return false
		}
		n, style = n+1, this
	}
	return n >= several && style != kubeapi.Camel
}

// related tells whether a json name goes back to the Go name: both begin alike,
// whatever the letters' case, or have a word in common that is more than initials.
func related(goName, jsonName string) bool {
	const beginning = 4
	g, j := tags.Fold(goName), tags.Fold(jsonName)
	if n := min(beginning, len(g), len(j)); g[:n] == j[:n] || tags.Fits(jsonName, goName) {
		return true
	}
	words := tags.Words(jsonName)
	return slices.ContainsFunc(tags.Words(goName), func(w string) bool {
		return slices.ContainsFunc(words, func(v string) bool {
			// One may be the plural of the other.
			return len(w) > 2 && len(v) > 2 && strings.TrimSuffix(w, "s") == strings.TrimSuffix(v, "s")
		})
	})
}

// checkOptional judges a field marked optional.
func (k *apiField) checkOptional() {
	if k.marks.Optional == nil || k.marks.Required != nil {
		return
	}
	switch {
	case !k.omits():
		k.checkSent()
	case k.s.optionalStruct(k.field):
		i := slices.IndexFunc(k.opts, func(o tags.Part) bool { return o.Text == "omitempty" })
		k.reportPart("k8s-optional", k.pair, k.opts[i], k.omitEmptyFixes(k.pair, k.opts[i], tags.LookupKey("json")),
			"%s is optional, but a struct that is no pointer is always sent, omitempty or not", k.name())
	case k.zeroMeansSomething():
		k.reportPair("k8s-optional", k.pair, nil, "%s is optional and no pointer: %s cannot be told from \"not set\", for which the default %s is filled in",
			k.name(), zeroText(k.v.Type().Underlying().(*types.Basic)), k.marks.Default.Value)
	}
}

// checkSent reports an optional field that is always sent. The spec of an object is,
// as it is a struct and omitempty would not help, and so are the numbers of a status,
// which its controller means to be seen when they are zero.
func (k *apiField) checkSent() {
	_, isStruct := k.v.Type().Underlying().(*types.Struct)
	basic, isBasic := k.v.Type().Underlying().(*types.Basic)
	inStatus := strings.HasSuffix(k.s.named.Obj().Name(), "Status")
	if isStruct && slices.Contains(scaffolding, k.jsonName) || inStatus && isBasic && basic.Info()&types.IsString == 0 {
		return
	}
	option := "omitempty"
	if isStruct {
		option = "omitzero"
	}
	end := k.pair.ValueEnd
	k.reportPair("k8s-optional", k.pair, k.fix("add "+option, tags.Edit{Start: end, End: end, New: "," + option}),
		"%s is optional, but has no %s: clients written in Go always send it", k.name(), option)
}

// optionalStruct tells whether a field is marked optional and has an omitempty that
// does nothing, as it is a struct.
func (s *structure) optionalStruct(f *field) bool {
	if s.named == nil || !s.p.isAPI(s) {
		return false
	}
	value, _ := f.value("json")
	name, opts := tags.SplitOptions(value)
	_, isStruct := f.v.Type().Underlying().(*types.Struct)
	if !isStruct || f.v.Embedded() || slices.Contains(scaffolding, name) || kubeapi.ReadField(f.decl.Doc).Optional == nil {
		return false
	}
	has := func(option string) bool {
		return slices.ContainsFunc(opts, func(o tags.Part) bool { return o.Text == option })
	}
	return has("omitempty") && !has("omitzero")
}

// zeroMeansSomething tells whether a number or boolean has a default other than
// zero, so that a zero that is left out turns into something else.
func (k *apiField) zeroMeansSomething() bool {
	b, ok := k.v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsNumeric) != 0 && k.marks.Default != nil && !isZeroText(k.marks.Default.Value, b)
}

// checkRequired judges a field marked required: omitempty leaves out a zero that the
// field may well have. Where markers exclude the zero, or in a package of the newer
// convention, it is meant; there, only a string, number or boolean beside fields that
// are always sent is suspicious. A nil pointer or map is rightly left out.
func (k *apiField) checkRequired(newConvention bool) {
	if k.marks.Required == nil || k.marks.Optional != nil || k.marks.ExcludesZero() || k.typeExcludesZero() {
		return
	}
	i := slices.IndexFunc(k.opts, func(o tags.Part) bool { return o.Text == "omitempty" || o.Text == "omitzero" })
	if i < 0 || k.opts[i].Text == "omitempty" && tags.OmitEmptyUseless(k.v.Type(), "json") {
		return
	}
	_, without := k.s.required()
	switch k.v.Type().Underlying().(type) {
	case *types.Basic:
		if newConvention && without == 0 {
			return
		}
	case *types.Slice:
		if newConvention {
			return
		}
	default:
		return // nil is no value that was set on purpose
	}
	o := k.opts[i]
	k.reportPart("k8s-required", k.pair, o, k.replacePart(k.pair, o, ""), "%s is required, but %s leaves its zero out", k.name(), o.Text)
}

// typeExcludesZero tells whether markers of the field's type exclude the zero.
func (k *apiField) typeExcludesZero() bool {
	named, ok := types.Unalias(k.v.Type()).(*types.Named)
	if !ok {
		return false
	}
	marks := kubeapi.ReadField(k.s.p.docs[named.Obj()])
	return marks.ExcludesZero()
}

// checkMarkers reports markers that contradict each other, or are misspelt.
func (k *apiField) checkMarkers() {
	if m := k.marks; m.Optional != nil && m.Required != nil {
		k.reportMarker("k8s-marker", "%s is marked +%s and +%s at once", k.name(), m.Optional.Name, m.Required.Name)
	} else if m.Required != nil && m.Default != nil {
		k.reportMarker("k8s-marker", "%s is required, but has the default %s, which makes it optional", k.name(), m.Default.Value)
	}
	at := token.NoPos
	if k.pair != nil {
		at = k.lit.Pos(k.pair.Start)
	}
	k.s.p.checkSpelling(k.marks.Markers, k.decl, at)
}

// reportMarker reports at the field's tag, or at the field if it has none.
func (k *apiField) reportMarker(rule, format string, args ...any) {
	if k.pair != nil {
		k.reportPair(rule, k.pair, nil, format, args...)
		return
	}
	k.s.p.reportAt(rule, k.decl, format, args...)
}

// checkList judges the markers of a list.
func (k *apiField) checkList() {
	list := k.marks.ListType
	elem, isList := listElem(k.v.Type())
	if list == nil {
		if len(k.marks.ListMapKeys) > 0 && isList {
			k.reportMarker("k8s-list", "%s has a +listMapKey, but no +listType=map", k.name())
		}
		return
	}
	switch {
	case !isList:
		k.reportMarker("k8s-list", "%s is marked +listType, but is no list", k.name())
	case list.Value != "map" && list.Value != "set" && list.Value != "atomic":
		k.reportMarker("k8s-list", "%s has the +listType %q; it must be map, set or atomic", k.name(), list.Value)
	case list.Value == "map":
		k.checkMapKeys(elem)
	case len(k.marks.ListMapKeys) > 0:
		k.reportMarker("k8s-list", "%s has a +listMapKey, but is +listType=%s", k.name(), list.Value)
	}
}

func (k *apiField) checkMapKeys(elem types.Type) {
	if len(k.marks.ListMapKeys) == 0 {
		k.reportMarker("k8s-list", "%s is +listType=map, but has no +listMapKey", k.name())
		return
	}
	for _, key := range k.marks.ListMapKeys {
		if s := tags.StructOf(elem); s != nil && !hasJSONName(s, key.Value) {
			k.reportMarker("k8s-list", "the +listMapKey %s of %s names no field of its elements, %s", key.Value, k.name(), k.relative(elem))
		}
	}
}

func (k *apiField) relative(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(k.s.p.pass.Pkg))
}

func listElem(t types.Type) (types.Type, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem(), true
	case *types.Array:
		return u.Elem(), true
	}
	return nil, false
}

// hasJSONName tells whether a struct has a field with a json name, through
// embedding too.
func hasJSONName(s *types.Struct, name string) bool {
	return slices.ContainsFunc(tags.JSONNames(s), func(n string) bool { return n == name })
}

// checkPatch judges the tags of a strategic merge patch.
func (k *apiField) checkPatch() {
	strategy, hasStrategy := k.value("patchStrategy")
	mergeKey, hasKey := k.value("patchMergeKey")
	if !hasStrategy && !hasKey {
		return
	}
	elem, isList := listElem(k.v.Type())
	at := k.tag.Lookup("patchMergeKey")
	if at == nil {
		at = k.tag.Lookup("patchStrategy")
	}
	switch {
	case hasKey && !isList:
		k.reportPair("k8s-patch", at, nil, "%s has a patchMergeKey, but is no list: the tag belongs to the list whose elements are merged", k.name())
	case strings.Contains(strategy, "merge") && !isList && isScalar(k.v.Type()):
		k.reportPair("k8s-patch", at, nil, "%s has the patchStrategy %q, but is no list", k.name(), strategy)
	case hasKey && !strings.Contains(strategy, "merge"):
		k.reportPair("k8s-patch", at, nil, "%s has a patchMergeKey, but not the patchStrategy \"merge\", without which patches replace the list", k.name())
	case hasKey:
		k.checkMergeKey(at, elem, mergeKey)
	case strategy == "merge" && isList && tags.StructOf(elem) != nil:
		k.reportPair("k8s-patch", at, nil, "%s has the patchStrategy \"merge\", but no patchMergeKey by which its elements, %s, could be told apart", k.name(), k.relative(elem))
	}
}

// checkMergeKey compares a patchMergeKey with the elements and with the list markers.
func (k *apiField) checkMergeKey(at *tags.Pair, elem types.Type, key string) {
	if s := tags.StructOf(elem); s != nil && !hasJSONName(s, key) {
		k.reportPair("k8s-patch", at, nil, "the patchMergeKey %q of %s names no field of its elements, %s", key, k.name(), k.relative(elem))
		return
	}
	keys := k.marks.ListMapKeys
	if len(keys) > 0 && !slices.ContainsFunc(keys, func(m kubeapi.Marker) bool { return m.Value == key }) {
		k.reportPair("k8s-list", at, nil, "%s is merged by %q in patches, but is a map by +listMapKey=%s", k.name(), key, keys[0].Value)
	}
}

func isScalar(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// checkProtoName reports a protobuf name that is not the json name.
func (k *apiField) checkProtoName() {
	value, ok := k.value("protobuf")
	if !ok {
		return
	}
	if tag, ok := tags.ParseProto(value); ok && tag.Name != "" && k.jsonName != "" && tags.Fold(tag.Name) != tags.Fold(k.jsonName) {
		k.reportPair("k8s-proto", k.tag.Lookup("protobuf"), nil, "the protobuf name %q of %s is not its json name %q", tag.Name, k.name(), k.jsonName)
	}
}
