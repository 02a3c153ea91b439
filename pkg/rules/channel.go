package rules

// Limits in characters. Names of publishers, categories, devices and credentials have the same limit.
const (
	MaxName        = 100
	MaxDescription = 1000
)

// Channel holds the fields of a channel that have rules.
type Channel struct {
	Name, Description, Icon string
	Visibility              string // empty for the default
}

// Faults returns every fault of the channel.
func (c Channel) Faults(links Links) Faults {
	var f Faults
	f.Name("#/name", c.Name, MaxName)
	f.Text("#/description", c.Description)
	f.Length("#/description", c.Description, MaxDescription)
	f.Picture("#/icon", c.Icon, links)
	f.OneOf("#/visibility", c.Visibility, "public", "unlisted", "private")
	return f
}
