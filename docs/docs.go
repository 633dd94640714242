// Package docs is the documentation. It has code only to generate the pages of the
// checks, and to test that they and the links are in step.
package docs

//go:generate go run generate.go
