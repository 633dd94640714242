package unit

import (
	"encoding/binary"
	"fmt"
	"os"
)

// vetxMagic begins every facts file that is not empty.
const vetxMagic = "hvx1"

// A vetx is the content of a facts file. A package without facts has an empty
// file.
type vetx struct {
	types []byte // export data, where the build gives none (config.exportsTypes)
	facts []byte // as of facts.Set.Encode
}

func (v vetx) encode() []byte {
	if len(v.types)+len(v.facts) == 0 {
		return nil
	}
	data := append([]byte(vetxMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint64(data[len(vetxMagic):], uint64(len(v.types)))
	data = append(data, v.types...)
	return append(data, v.facts...)
}

func readVetx(filename string) (vetx, error) {
	data, err := os.ReadFile(filename)
	if err != nil || len(data) == 0 {
		return vetx{}, err
	}
	const header = len(vetxMagic) + 8
	if len(data) < header || string(data[:len(vetxMagic)]) != vetxMagic {
		return vetx{}, fmt.Errorf("%s is no facts file of this tool", filename)
	}
	n := binary.LittleEndian.Uint64(data[len(vetxMagic):])
	body := data[header:]
	if n > uint64(len(body)) {
		return vetx{}, fmt.Errorf("facts file %s is cut short", filename)
	}
	return vetx{types: body[:n], facts: body[n:]}, nil
}
