package file

func g() { bad() } // want `toy/bad: bad`

// h is documented.
//
//go:vet-ignore=toy
func h() { bad() }
