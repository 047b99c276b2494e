package classroom

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"bandscope/functions/rng"
)

// birds are the pseudonyms: short names of birds that are easy to read and to say.
var birds = strings.Fields("avocet bittern bulbul bunting chough coot cormorant crane curlew dipper dove dunlin dunnock eider egret falcon finch flamingo gannet godwit goldcrest goose grebe grouse guillemot gull harrier hawk heron hobby hoopoe ibis jackdaw jay kestrel kingfisher kinglet kite kittiwake lapwing lark linnet loon magpie martin merlin nightjar nuthatch oriole osprey ouzel owl partridge pelican petrel pheasant pipit plover puffin quail raven redstart robin roller rook sandpiper shrike siskin skua snipe sparrow starling stilt stork swallow swan swift teal tern thrush turnstone wagtail warbler waxwing wheatear whimbrel wigeon wren")

// Join adds a person, and returns the person with the pseudonym. Joining again changes nothing but the role.
func (c *Class) Join(id string, role Role) (Person, error) {
	err := c.record(func(st State) (change, error) {
		name := st.nextPseudonym()
		if p, known := st.Person(id); known {
			if p.Role == role {
				return nil, nil
			}
			name = p.Pseudonym
		}
		return &joinedData{Person: id, Pseudonym: name, Role: role}, nil
	})
	if err != nil {
		return Person{}, err
	}
	p, _ := c.State().Person(id)
	return p, nil
}

// nextPseudonym is the pseudonym of the one who joins next: the birds in an order that follows from the header of the
// file, then the same birds with a 2, and so on.
func (st State) nextPseudonym() string {
	h := fnv.New64a()
	h.Write([]byte(st.id))
	order := rng.New(h.Sum64(), 0, "pseudonyms").Perm(len(birds))
	for n := len(st.People); ; n++ { // after others were removed, the next one can be in use
		name := birds[order[n%len(birds)]]
		if round := n / len(birds); round > 0 {
			name += fmt.Sprintf(" %d", round+1)
		}
		if !slices.ContainsFunc(st.People, func(p Person) bool { return p.Pseudonym == name }) {
			return name
		}
	}
}
