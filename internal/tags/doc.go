// Package tags is the theory of struct tags: how a tag is written, what is wrong
// with one that is not, which keys are read by which library, what each library
// makes of a value, and which field gets a name in the end.
//
// It knows nothing of findings: the rules and their wording are the business of
// the fieldtag check.
package tags
