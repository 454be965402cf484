package main

import (
	"fmt"
	"io"
	"os"
)

// mostHoldout bounds the sealed command, in bytes.
const mostHoldout = 1 << 20

// readHoldout takes the sealed command from the descriptor that sealArguments left.
func (o *loopOptions) readHoldout() error {
	if o.holdoutFD < 0 {
		return nil
	}
	f := os.NewFile(uintptr(o.holdoutFD), "holdout")
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostHoldout))
	if err != nil {
		return fmt.Errorf("read the sealed holdout: %w", err)
	}
	o.plan.Holdout = string(data)
	if o.plan.Holdout == "" {
		return usagef("--holdout is empty: give a value, or leave the flag out")
	}
	return nil
}
