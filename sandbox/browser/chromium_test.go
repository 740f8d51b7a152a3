package browser_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the pictures of the README anew")

// TestMain lets more tests run at once than there are processors, since they wait most of the time, and ends the browser
// that they share.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := f.Value.Set("4"); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	endChromium()
	os.Exit(status)
}

var errNoChromium = errors.New("these tests drive Chromium, which is not installed here; on Debian and Ubuntu: apt-get install chromium")

// endChromium ends the browser, if one was started.
var endChromium = func() {}

// chromium is the one browser of all tests, started by the first of them.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("lang", "en-US"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	endChromium = func() { end(); stop() }
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return ctx, nil
})

// findChromium looks for the browser under the names that systems give it.
func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoChromium
}

// browser is the running browser. Where none is installed the test is skipped, and says so; in CI, which installs one,
// it fails.
func browser(t testing.TB) context.Context {
	t.Helper()
	ctx, err := chromium()
	if errors.Is(err, errNoChromium) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}
