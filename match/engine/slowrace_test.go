//go:build race

package engine_test

const share = 4
