// Package json stands for the second version of encoding/json.
package json

// Marshal is there to be called.
func Marshal(in any) ([]byte, error) { return nil, nil }
