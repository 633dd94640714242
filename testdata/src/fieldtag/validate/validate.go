// Package validate has rules that do something else or nothing.
package validate

type Form struct {
	A string `validate:"requried,max=40"`            // want `no validator has a rule requried as Form.A has; it must be required`
	B string `binding:"omitemtpy,alphanum"`          // want `it must be omitempty`
	C string `valid:"requiered,email"`               // want `it must be required`
	D string `validate:"oneof='a' 'b,c'"`            // want `the comma ends the parameter of oneof of Form.D, and "c'" is taken for a rule: write it as 0x2C`
	E string `validate:"datetime=Monday, January 2"` // want `and " January 2" is taken for a rule`
	F string `validate:"excludesall=,;"`             // want `and ";" is taken for a rule`
	G bool   `validate:"required"`                   // want `required on the boolean Form.G refuses false`
	H string `validate:"email|uir"`
	I string `validate:"email|hostnmae"` // want `it must be hostname`
}

type Blank struct {
	A string `validate:"required, max=40"` // want `blank in the rule " max=40" of Blank.A, which the validator takes for a part of its name`
	B string `binding:"required ,max=40"`  // want `blank in the rule "required " of Blank.B`
	C string `valid:"required, email"`
	D string `validate:"oneof=a b "`
}

type Fine struct {
	A           string `validate:"required,max=40,oneof=a b 'c d'"`
	B           string `validate:"mine,iso3166_1_alpha4,dive,keys,endkeys,eq=1|eq=2"`
	C           string `valid:"required~Give a name, please,matches(^[a-z]{2,3}$)"`
	D           string `validate:"regexp=^a{2,}$"`
	F           *bool  `binding:"required"`
	G           string `validate:"numberc"`
	H           string `validate:"required_if=A b,omitempty,gt=0,dive,required"`
	AcceptTerms bool   `validate:"required"`
}

const registered = "numberc"
