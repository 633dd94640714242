// Package use has directives that suppress nothing.
package use

//go:vet-ignore=toy // want `vetignore/unused: //go:vet-ignore=toy suppresses nothing: to cover the file it must stand above the package clause`

import _ "sync"

func bad()   {}
func worse() {}
func good()  {}

func used() {
	//go:vet-ignore
	bad()
	bad() //heapvet:ignore
	bad() //heapvet:ignore=toy
	bad() //heapvet:ignore=toy/bad not so bad
	//go:vet-ignore=toy/worse,toy/bad
	if true {
		bad()
		worse()
	}
}

func unused() {
	//go:vet-ignore // want `vetignore/unused: //go:vet-ignore suppresses nothing$`
	good()
	good() //heapvet:ignore=toy // want `//heapvet:ignore=toy suppresses nothing`
	bad()  //heapvet:ignore=toy/worse why // want `toy/bad: bad` `//heapvet:ignore=toy/worse suppresses nothing`
	bad()  //heapvet:ignore=toy,other // want `//heapvet:ignore has other in its list, which suppresses nothing`
	good() //heapvet:ignore=toy,other/rare // want `//heapvet:ignore has toy in its list, which suppresses nothing`
	bad()  // want `toy/bad: bad`
	//heapvet:ignore // want `//heapvet:ignore suppresses nothing: nothing follows it in its block`
}

// A rule that is off by default says nothing, so nothing is known of it.
func off() {
	good() //heapvet:ignore=other/rare
}

// The findings are in the helper, not at the call.
func call() {
	//go:vet-ignore=toy // want `//go:vet-ignore=toy suppresses nothing`
	helper()
}

func helper() {
	bad() // want `toy/bad: bad`
}

func itself() {
	good() //heapvet:ignore=toy,vetignore/unused other builds have it
	//go:vet-ignore=vetignore
	{
		good() //heapvet:ignore=toy
		good() //heapvet:ignore=toi
	}
	//go:vet-ignore // want `//go:vet-ignore suppresses nothing`
	{
		good() //heapvet:ignore=toy // want `//heapvet:ignore=toy suppresses nothing`
	}
}
