// Package e2e holds the tests of the whole: Rowbot with its store and its
// gateway connection on one side, the stand-in of Discord on the other, and
// people who play. It has no code of its own and nobody imports it.
package e2e
