package tags

import "strings"

// ValidatorRules are the rules of github.com/go-playground/validator/v10, which
// the keys validate and binding are read by; those that take a parameter end in
// an equals sign here.
var ValidatorRules = strings.Fields(`
required required_if= required_unless= skip_unless= required_with= required_with_all= required_without=
required_without_all= excluded_if= excluded_unless= excluded_with= excluded_with_all= excluded_without=
excluded_without_all= isdefault len= min= max= eq= eq_ignore_case= ne= ne_ignore_case= lt= lte= gt= gte=
eqfield= eqcsfield= necsfield= gtcsfield= gtecsfield= ltcsfield= ltecsfield= nefield= gtefield= gtfield=
ltefield= ltfield= fieldcontains= fieldexcludes= alpha alphaspace alphanum alphanumspace alphaunicode
alphanumunicode boolean numeric number hexadecimal hexcolor rgb rgba hsl hsla cmyk e164 email url http_url
https_url uri urn_rfc2141 origin file filepath base32 base64 base64url base64rawurl contains= containsany=
containsrune= excludes= excludesall= excludesrune= startswith= endswith= startsnotwith= endsnotwith= image
mimetype isbn isbn10 isbn13 issn eth_addr eth_addr_checksum btc_addr btc_addr_bech32 uuid uuid3 uuid4 uuid5
uuid_rfc4122 uuid3_rfc4122 uuid4_rfc4122 uuid5_rfc4122 ulid md4 md5 sha256 sha384 sha512 ripemd128 ripemd160
tiger128 tiger160 tiger192 ascii printascii multibyte datauri latitude longitude ssn ipv4 ipv6 ip cidrv4
cidrv6 cidr tcp4_addr tcp6_addr tcp_addr udp4_addr udp6_addr udp_addr ip4_addr ip6_addr ip_addr unix_addr
uds_exists mac hostname hostname_rfc1123 fqdn unique oneof= oneofci= noneof= noneofci= html html_encoded
url_encoded dir dirpath json jwt hostname_port port lowercase uppercase datetime= timezone
iso3166_1_alpha2 iso3166_1_alpha2_eu iso3166_1_alpha3 iso3166_1_alpha3_eu iso3166_1_alpha_numeric
iso3166_1_alpha_numeric_eu iso3166_2 iso4217 iso4217_numeric bcp47_language_tag
postcode_iso3166_alpha2= postcode_iso3166_alpha2_field= bic semver dns_rfc1035_label credit_card cve
luhn_checksum mongodb mongodb_connection_string cron spicedb ein validateFn iscolor country_code
eu_country_code omitempty omitnil omitzero dive keys endkeys structonly nostructlevel hostname_label duration`)

// GovalidatorRules are those of github.com/asaskevich/govalidator, which the key
// valid is read by.
var GovalidatorRules = strings.Fields(`
required optional email url dialstring requrl requri alpha utfletter alphanum utfletternum numeric utfnumeric
utfdigit hexadecimal hexcolor rgbcolor lowercase uppercase int float null notnull uuid uuidv3 uuidv4 uuidv5
creditcard isbn10 isbn13 json multibyte ascii printableascii fullwidth halfwidth variablewidth base64 datauri
ip port ipv4 ipv6 dns host mac latitude longitude ssn semver rfc3339 rfc3339WithoutZone ISO3166Alpha2
ISO3166Alpha3 ISO4217 IMEI ulid magneturi range length runelength stringlength matches in rsapub minstringlength
maxstringlength hasLowerCase hasUpperCase unixtime nonzero`)

// RulesOf returns the rules that the reader of a key knows, without their
// equals signs.
func RulesOf(key string) []string {
	if key == "valid" {
		return GovalidatorRules
	}
	return validatorNames
}

var validatorNames, validatorParams = func() ([]string, map[string]bool) {
	names, params := make([]string, len(ValidatorRules)), map[string]bool{}
	for i, r := range ValidatorRules {
		name, takes := strings.CutSuffix(r, "=")
		names[i], params[name] = name, takes
	}
	return names, params
}()

// TakesText tells whether the parameter of a validator's rule is free text, in
// which a comma may have been meant.
func TakesText(rule string) bool {
	switch rule {
	case "oneof", "oneofci", "noneof", "noneofci", "datetime", "contains", "containsany", "excludes", "excludesall",
		"startswith", "endswith", "startsnotwith", "endsnotwith", "eq", "ne":
		return true
	}
	return false
}

// IsValidatorRule tells whether the validator knows the rule.
func IsValidatorRule(name string) bool { _, ok := validatorParams[name]; return ok }

// RuleName returns the rule of one alternative of a validation tag, without its
// parameter or message.
func RuleName(alternative string) string {
	if i := strings.IndexAny(alternative, "=(~:"); i >= 0 {
		alternative = alternative[:i]
	}
	return strings.Trim(alternative, " !")
}

// ValidatorRuleNames returns the names of [ValidatorRules].
func ValidatorRuleNames() []string { return validatorNames }
