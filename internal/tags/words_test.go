package tags

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"json", "json", 0}, {"jsno", "json", 1}, {"jason", "json", 1}, {"jsn", "json", 1}, {"jsom", "json", 1}, {"yaml", "json", 3}, {"requiered", "required", 1}, {"", "ab", 2}, {"abc", "", 3},
	} {
		if got := Distance(c.a, c.b, 2); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestDistanceOfEdits makes edits and checks that no more are counted, and that the
// order of the words does not matter.
func TestDistanceOfEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		a := make([]byte, 4+r.IntN(8))
		for i := range a {
			a[i] = byte('a' + r.IntN(4))
		}
		b, edits := string(a), r.IntN(3)
		for range edits {
			i := r.IntN(len(b) - 1)
			switch r.IntN(4) {
			case 0:
				b = b[:i] + b[i+1:]
			case 1:
				b = b[:i] + "x" + b[i:]
			case 2:
				b = b[:i] + "y" + b[i+1:]
			default:
				b = b[:i] + b[i+1:i+2] + b[i:i+1] + b[i+2:]
			}
		}
		there, back := Distance(string(a), b, 4), Distance(b, string(a), 4)
		// Optimal string alignment does not edit between two letters that it swaps,
		// so two edits may count as three.
		if there != back || there > edits+edits/2 {
			t.Fatalf("%s, %s: %d and %d after %d edits", a, b, there, back, edits)
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"MaxSize": {"max", "size"}, "HTTPServer": {"http", "server"}, "vmID": {"vm", "id"}, "a_b-c.d": {"a", "b", "c", "d"}, "ID": {"id"}, "x": {"x"}, "": nil,
	} {
		if got := Words(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	list := []string{"omitempty", "attr", "string"}
	for word, want := range map[string]string{
		"omitempy": "omitempty", "omit_empty": "omitempty", "OmitEmpty": "omitempty", "omitempty": "", "atr": "attr", "sting": "string", "required": "", "at": "",
	} {
		if got := Nearest(word, list, 2); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{"omit": "omitempty", "attribute": "attr", "str": "", "x": ""} {
		if got := Abbreviates(word, list); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestSplitOptions(t *testing.T) {
	for value, want := range map[string][]string{
		"a": nil, "a,b": {"b"}, ",b,c": {"b", "c"}, "a,format:'x,y',b": {"format:'x,y'", "b"}, "a,format:'x,y": {"format:'x", "y"}, "it's,b": {"b"}, "a,options=[x,y],b": {"options=[x,y]", "b"}, "a,range=(0:1],b": {"range=(0:1]", "b"}, "": nil,
	} {
		_, parts := SplitOptions(value)
		var got []string
		for _, p := range parts {
			got = append(got, p.Text)
			if value[p.Start:p.Start+len(p.Text)] != p.Text {
				t.Errorf("%s: %q is not at %d", value, p.Text, p.Start)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestParseKeys(t *testing.T) {
	keys := ParseKeys("cfg, meta:hot|cold,,")
	if len(keys) != 2 || keys[0].Name != "cfg" || !keys[0].Open || keys[1].Name != "meta" || keys[1].Open || !keys[1].HasOption("cold") || keys[1].HasOption("warm") {
		t.Errorf("%+v", keys)
	}
}
