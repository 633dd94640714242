package cli

import (
	"encoding/json"

	"github.com/heapvet/heapvet/internal/frontend/config"
)

// modelFlags turns the models of the configuration into flags of the vet tool.
func modelFlags(c *config.Config) ([]string, error) {
	var flags []string
	for _, kind := range []struct {
		flag   string
		models []config.Model
	}{{"heap-models", c.Models.Heaps}, {"lock-models", c.Models.Locks}} {
		if len(kind.models) == 0 {
			continue
		}
		list, err := json.Marshal(kind.models)
		if err != nil {
			return nil, err
		}
		flags = append(flags, "-"+kind.flag+"="+string(list))
	}
	return flags, nil
}
