package tags

// A Part is a piece of a value, with its offset in the value.
type Part struct {
	Text  string
	Start int
}

// Split cuts a value at each separator.
func Split(value string, separator byte) []Part {
	var parts []Part
	start := 0
	for i := 0; i <= len(value); i++ {
		if i == len(value) || value[i] == separator {
			parts = append(parts, Part{value[start:i], start})
			start = i + 1
		}
	}
	return parts
}

// SplitOptions cuts a value in the style Named into the name and the options.
// Single quotes hold a name or an option together, as in encoding/json/v2, and so do brackets
// behind an equals sign, as in go-zero, where a range may begin with a parenthesis.
func SplitOptions(value string) (name string, options []Part) {
	start, closer := 0, byte(0)
	var parts []Part
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == ',' && closer == 0:
			parts = append(parts, Part{value[start:i], start})
			start = i + 1
		case value[i] == closer:
			closer = 0
		case closer == 0 && value[i] == '\'' && (i == 0 || i > start && value[i-1] == ':'):
			closer = '\''
		case closer == 0 && i > start && (value[i] == '[' || value[i] == '(') && value[i-1] == '=':
			closer = ']'
		}
	}
	if closer != 0 {
		parts = Split(value, ',')
	}
	return parts[0].Text, parts[1:]
}

// Name returns the name in a value in the style Named.
func Name(value string) string {
	name, _ := SplitOptions(value)
	return name
}
