// Package fixchoice has a fault with two fixes.
package fixchoice

import "time"

type Seen struct {
	Seen time.Time `json:"seen,omitempty"` // want `no effect`
}
