package gateway

import "testing"

// TestReadPacket: of an event is known what stands before its data, in whatever order
// that comes; of all else everything.
func TestReadPacket(t *testing.T) {
	for _, c := range []struct {
		message string
		want    packet
		data    string
	}{
		{`{"t":"INTERACTION_CREATE","s":7,"op":0,"d":{"id":"1"}}`, packet{Op: 0, Seq: 7, Type: "INTERACTION_CREATE"}, ""},
		{`{"op":0,"t":"RESUMED","s":8,"d":null}`, packet{Op: 0, Seq: 8, Type: "RESUMED"}, ""},
		{` { "op" : 0 , "d" : {"a":[1,{"op":9}]} , "s" : 9 , "t" : "RESUMED" } `, packet{Op: 0, Seq: 9, Type: "RESUMED"}, `{"a":[1,{"op":9}]}`},
		{`{"t":"READY","s":1,"op":0,"d":{"session_id":"x"}}`, packet{Op: 0, Seq: 1, Type: "READY"}, `{"session_id":"x"}`},
		{`{"t":null,"s":null,"op":10,"d":{"heartbeat_interval":41250}}`, packet{Op: 10}, `{"heartbeat_interval":41250}`},
		{`{"t":null,"s":null,"op":9,"d":true}`, packet{Op: 9}, `true`},
		{`{"op":11}`, packet{Op: 11}, ""},
		{`{"extra":1,"t":"RESUMED","s":5,"op":0,"d":{}}`, packet{Op: 0, Seq: 5, Type: "RESUMED"}, `{}`},
	} {
		got, err := readPacket([]byte(c.message))
		if err != nil || got.Op != c.want.Op || got.Seq != c.want.Seq || got.Type != c.want.Type || string(got.Data) != c.data {
			t.Errorf("%s: %+v with %s, %v", c.message, got, got.Data, err)
		}
	}
	for _, message := range []string{``, `[]`, `{`, `{"op":0`, `{"op":"0","d":1}`, `{"t":"RESUMED","s":5,"op":0`, `null x`, `7`} {
		if got, err := readPacket([]byte(message)); err == nil {
			t.Errorf("%q was read as %+v", message, got)
		}
	}
}
