// Package xmltags decodes XML.
package xmltags

import "encoding/xml"

type Inner struct {
	XMLName xml.Name `xml:"inner"`
	A       string   `xml:"a"`
}

type Refused struct {
	A string `xml:"meta>a,attr"`        // want `encoding/xml refuses the tag of Refused.A: a path does not go with attr`
	B string `xml:",chardata,innerxml"` // want `chardata and innerxml exclude each other`
	C *Inner `xml:"c"`                  // want `the name "c" conflicts with "inner", which the XMLName field of Inner says`
	D string `xml:"d>"`                 // want `a path cannot end in >`
	E string `xml:"urn:x "`             // want `a name space without a name`
	F string `xml:"f,chardata"`         // want `chardata does not go with a name`
	G string `xml:",comment,omitempty"` // want `omitempty does not go with comment`
	H string `xml:"dc:title"`           // want `the decoder compares local names, so nothing is ever "dc:title" for Refused.H: write the name space, a blank and "title"`
}

type Fine struct {
	XMLName xml.Name   `xml:"urn:x fine"`
	A       Inner      `xml:"inner"`
	C       []xml.Attr `xml:",any,attr"`
	D       string     `xml:"urn:x d"`
	E       string     `xml:"p>e"`
}

// It is written with prefixes.
type Soap struct {
	NS   string `xml:"xmlns:soap,attr"`
	Body string `xml:"soap:Body"`
}

func read(b []byte) (r Refused, err error) {
	err = xml.Unmarshal(b, &r)
	return r, err
}
