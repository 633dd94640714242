package notes

import (
	"go/token"
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// unsafeWords fit a sentence that says that something is for one goroutine at a
// time.
var unsafeWords = lazyregexp.New(strings.Join([]string{
	`\b(?:not|isn't|aren't|never|nor|non|neither) (?:\w+ )?(?:be )?(?:considered )?(?:safe|suitable|meant|intended|designed) (?:for|to|under|with|in) (?:be )?(?:\w+ly )?(?:general |call |use |used |run )?(?:concurren|parallel|simultaneous|multi|use from (?:multiple|several)|use by multiple|use in multiple|call from multiple|call concurren|access (?:from|concurren))`,
	`\b(?:not|isn't|aren't|non|neither|never) (?:\w+ )?(?:thread|goroutine|concurren(?:cy|t|tly)|routine|multithread|race)(?:-| )?safe`,
	`\b(?:thread|goroutine|concurren(?:cy|t)|routine)-?unsafe\b`,
	`\bnon-?(?:thread|goroutine|concurren(?:cy|t))(?:-| )?safe`,
	`\bnot safe concurrently\b`,
	`\b(?:not|never|cannot|mustn't|shouldn't|no) (?:be )?(?:support )?(?:called|used|invoked|accessed|shared|run) (?:concurrently|simultaneously|in parallel|from (?:multiple|several|different|more than one)|by (?:multiple|several|more than one|different)|between (?:multiple |several )?(?:goroutines|threads))`,
	`\b(?:not|does not|doesn't) (?:support|allow|provide|handle) (?:any )?(?:concurren|simultaneous|parallel)`,
	`\bno (?:concurrent|internal|locking|synchronization|thread safety)\b`,
	`\b(?:called|used|accessed|run|touched|modified|read|written|owned|mutated|updated|executed|invoked) (?:only |exclusively |solely )?(?:from|by|in|on|within|inside) (?:the|a|one|its own|its|this|exactly one|only one)(?: \w+)?(?: \w+)?(?: \w+)? (?:goroutine|go-routine|thread)\b`,
	`\bonly (?:be )?(?:called|used|accessed|run|touched|modified|read|written|mutated|updated|executed|invoked) (?:from|by|in|on|within|inside) (?:\w+ ){0,4}(?:goroutine|thread|loop|eventloop)\b`,
	`\b(?:single|same|one) (?:goroutine|thread)(?: only| at a time)?(?:\.|$)`,
	`\bsingle[- ]threaded\b`,
	`\b(?:one|single) goroutine (?:at a time|only)\b`,
	`\b(?:external(?:ly)?|caller(?:s)?|outside) (?:must |should |is responsible for |are responsible for |needs to |has to |provides? )?(?:be )?(?:synchroni[sz]|locking|serializ)`,
	`\b(?:responsible|responsibility) (?:for|to) (?:\w+ )?(?:synchroni[sz]|locking|lock\b|serializ)`,
	`\b(?:not|isn't|aren't) (?:protected|guarded|synchroni[sz]ed)\b`,
}, "|"))

// unsafeText returns the line of a comment that says that something is for one
// goroutine at a time.
func unsafeText(lines []line) (token.Pos, bool) {
	for _, s := range sentences(lines) {
		var b strings.Builder
		for _, w := range s {
			if b.Len() > 0 && !w.mark() {
				b.WriteByte(' ')
			}
			b.WriteString(w.low)
		}
		at := unsafeWords.FindStringIndex(b.String())
		if at == nil {
			continue
		}
		n := strings.Count(b.String()[:at[0]], " ")
		return lines[s[min(n, len(s)-1)].line].pos, true
	}
	return token.NoPos, false
}
