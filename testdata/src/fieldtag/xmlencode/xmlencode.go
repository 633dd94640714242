// Package xmlencode encodes and decodes XML.
package xmlencode

import "encoding/xml"

type Item struct {
	Title string `xml:"dc:title"`
}

func both(b []byte) ([]byte, error) {
	var i Item
	if err := xml.Unmarshal(b, &i); err != nil {
		return nil, err
	}
	return xml.Marshal(i)
}
