//go:build !race

package engine_test

// share is which share of the long tests' positions and games is played: all of
// them, one of four where the race detector makes everything ten times slower.
const share = 1
