// Package proto has protobuf tags that are kept by hand.
package proto

type Name string

type Message struct {
	A string            `protobuf:"bytes,1,opt,name=a"`
	B string            `protobuf:"bytes,1,opt,name=b"`     // want `Message.B has the field number 1 of Message.A: on the wire one overwrites the other`
	C int32             `protobuf:"bytes,3,opt,name=c"`     // want `the wire type bytes does not fit the type of Message.C, int32; it must be varint or zigzag32 or fixed32`
	D *bool             `protobuf:"bytes,4,opt,name=d"`     // want `it must be varint`
	E Name              `protobuf:"varint,5,opt,name=e"`    // want `it must be bytes`
	F string            `protobuf:"bytes,19001,opt,name=f"` // want `19001 is no number for the field Message.F`
	G string            `protobuf:"bytes,0,opt,name=g"`     // want `0 is no number for the field Message.G`
	H []int32           `protobuf:"varint,8,rep,name=h"`
	I map[string]string `protobuf:"bytes,9,rep,name=i"`
	J float64           `protobuf:"fixed64,10,opt,name=j"`
	K []byte            `protobuf:"bytes,11,opt,name=k"`
	L *Message          `protobuf:"bytes,12,opt,name=l"`
	M int64             `protobuf:"bytes,13,opt,name=m,customtype=X"`
	N string            `protobuf:"-"`
	Q string            `protobuf:"bytes,17,opt,name=k"` // want `Message.Q has the protobuf name "k" of Message.K`
	O any               `protobuf_oneof:"o"`
	P []Message         `protobuf:"bytes,16,rep,name=p"`
}
