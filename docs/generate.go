//go:build ignore

// Generate writes the pages of the checks, the schema of the configuration and
// the manual page.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/frontend/cli"
	"github.com/heapvet/heapvet/internal/frontend/config"
	"github.com/heapvet/heapvet/internal/gendoc"
)

func main() {
	if err := os.RemoveAll("checks"); err != nil {
		log.Fatal(err)
	}
	if err := os.Mkdir("checks", 0o777); err != nil {
		log.Fatal(err)
	}
	for name, page := range gendoc.Pages(analyzers.Checks()) {
		if err := os.WriteFile(filepath.Join("checks", name), page, 0o666); err != nil {
			log.Fatal(err)
		}
	}
	text, err := config.SchemaFile(analyzers.Checks())
	if err == nil {
		err = os.WriteFile("heapvet.schema.json", text, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join("..", cli.ManualPage), gendoc.Manual(cli.Manual(analyzers.Checks(), analyzers.Flags)), 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}
