package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rowbot/bot"
	"rowbot/bot/gateway"
)

// The dashboard and the alerts ask for figures that there are.
func TestDashboardAndAlerts(t *testing.T) {
	f := newFigures()
	f.answered(bot.Answered{Asked: "a", Outcome: "b"})
	f.called(gateway.Called{About: "channels", Status: 429})
	f.refused(401)
	f.backups.WithLabelValues("failed").Inc()
	f.store.WithLabelValues("view", "done").Observe(1)
	f.watchStore(t.Context(), &openCount{}, now)
	f.watchEngine(func() (int, int) { return 0, 0 })
	families, err := f.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"rowbot_gateway_connected": true} // where there is a gateway
	for _, family := range families {
		for _, end := range []string{"", "_bucket", "_count", "_sum"} {
			known[family.GetName()+end] = end == "" || len(family.GetMetric()[0].GetHistogram().GetBucket()) > 0
		}
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	raw, err := os.ReadFile("../../deploy/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &dashboard); err != nil {
		t.Fatal(err)
	}
	alerts, err := os.ReadFile("../../deploy/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{string(alerts)}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			asked = append(asked, target.Expr)
		}
	}
	names := regexp.MustCompile(`\b(rowbot|process|go)_[a-z_]+\b`).FindAllString(strings.Join(asked, "\n"), -1)
	if len(dashboard.Panels) < 10 || len(names) < 30 {
		t.Fatalf("%d panels and %d names", len(dashboard.Panels), len(names))
	}
	for _, name := range names {
		if !known[name] {
			t.Errorf("%s is asked for, and there is no such figure", name)
		}
	}
}

// The unit is one that systemd understands.
func TestUnit(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "rowbot")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rowbot.service", "rowbot.socket"} {
		unit, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		unit = []byte(strings.ReplaceAll(string(unit), "/usr/local/bin/rowbot", program))
		if err := os.WriteFile(filepath.Join(dir, name), unit, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), verify, "verify", filepath.Join(dir, "rowbot.service"), filepath.Join(dir, "rowbot.socket")).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
