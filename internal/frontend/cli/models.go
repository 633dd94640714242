package cli

import (
	"encoding/json"
	"errors"
	"flag"

	"github.com/heapvet/heapvet/internal/frontend/config"
	"github.com/heapvet/heapvet/internal/heaps"
)

// modelFlags turns the models of the configuration into flags of the vet tool.
func (a *app) modelFlags(c *config.Config) ([]string, error) {
	if len(c.Models.Heaps) == 0 {
		return nil, nil
	}
	name := a.flagOf(heaps.Models)
	if name == "" {
		return nil, errors.New("models.heaps: no check takes heap models")
	}
	list, err := json.Marshal(c.Models.Heaps)
	if err != nil {
		return nil, err
	}
	return []string{"-" + name + "=" + string(list)}, nil
}

// flagOf returns the name of the checks' flag that sets value, "" if there is none.
func (a *app) flagOf(value flag.Value) string {
	name := ""
	for _, c := range a.checks {
		c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
			if f.Value == value && name == "" {
				name = c.Name + "." + f.Name
			}
		})
	}
	return name
}
