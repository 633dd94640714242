// Package own uses keys that the flag adds.
package own

type T struct {
	A int `cfg:"a" meta:"a,hot"`
	B int `cfg:"a"`      // want `T.A and T.B are both "a" for cfg`
	c int `cfg:"c"`      // want `T.c is not exported, so cfg does not see it`
	D int `meta:"d,hto"` // want `meta does not know the option "hto" of T.D`
	E int `meta:"e,cold"`
	F int `cfg: "f"` // want `blank between the colon of cfg`
}
