package store

import (
	"fmt"
	str "strings"
	. "testing"
	_ "embed"
)

// Store keeps things. It is safe.
type Store[K comparable] struct {
	*Base
	sync.Mutex
	items, spare map[K]string
}

type (
	Reader interface {
		Base
		Read(key string, more ...int) (value string, err error)
	}
	Alias = Store[string]
)

const (
	First, Second = iota, 1
	third
)

var current, next *Store[string]

// Get reads one item.
func (s *Store[K]) Get(key K, keys ...string) (value string, err error) {
	value, ok := s.items[key]
	if x, err := str.Cut(value, "="); err != nil {
		fmt.Println(x, ok)
	}
	p := &Store[K]{items: nil, Base: &Base{Name: value}}
	for i, k := range keys {
		p.items[key], i = k, i+1
	}
	switch v := any(p).(type) {
	case *Base:
		v.Run(func(n int) { n++ })
	}
loop:
	for {
		break loop
	}
	m := map[string]Alias{third: {spare: nil}}
	return m[value].Get("a", First)
}
