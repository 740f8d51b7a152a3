package sandbox

import "net/http"

// callTo is a request of a route, for the rules about answers.
func callTo(method, route string) *call {
	return &call{Request: &http.Request{Method: method}, route: route}
}
