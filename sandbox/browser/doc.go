// Package browser holds no code of its own: its tests open the sandbox's page in headless Chromium and do with mouse,
// keyboard and finger what people do there, against a Rowbot that runs in the same process. They keep the pictures of
// the README too (go test ./sandbox/browser -update).
//
// Nothing may import it.
package browser
