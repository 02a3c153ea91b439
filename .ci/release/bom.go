package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// describeAll writes the bill of materials of each archive, in CycloneDX's format: the Go modules that are linked into
// the program and, for the server, the npm packages in the web app.
func (r *release) describeAll(builds []build) error {
	tool := filepath.Join(r.work, "cyclonedx-gomod")
	_, err := output(".", "go", "build", "-o", tool, "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod")
	if err != nil {
		return err
	}
	for _, b := range builds {
		if err := r.describe(b, tool); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) describe(b build, tool string) error {
	list, err := output(r.root, tool, "bin", "-json", "-noserial", "-notimestamp", "-version", r.version, r.binary(b))
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	if err := cyclonedx.NewBOMDecoder(strings.NewReader(list), cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		return err
	}
	r.complete(bom, b)
	var out bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := encoder.Encode(bom); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, r.archiveName(b)+".cdx.json"), out.Bytes(), 0o644)
}

// library is the module of this repository that the programs use.
const library = "github.com/sininho/sininho/pkg"

// complete adds the licences and the npm packages, and takes out what differs between machines.
func (r *release) complete(bom *cyclonedx.BOM, b build) {
	bom.Metadata.Timestamp = r.source.date.Format(time.RFC3339)
	for i := range *bom.Metadata.Tools.Tools { //nolint:staticcheck // what cyclonedx-gomod writes
		(*bom.Metadata.Tools.Tools)[i].Hashes = nil
	}
	known := map[string]licence{}
	for _, l := range r.licences {
		known[l.ecosystem+" "+l.name] = l
	}
	for i := range *bom.Components {
		c := &(*bom.Components)[i]
		if c.Name == "./pkg" || c.Name == library { // the former by the directive in go.mod, which a tag has not
			c.Name, c.Version = library, r.version
			c.PackageURL = "pkg:golang/" + c.Name + "@" + c.Version + "?type=module"
			c.Licenses = licence{identifier: "Apache-2.0"}.choices()
		}
		if l, ok := known["golang "+c.Name]; ok {
			c.Licenses = l.choices()
		}
	}
	if b.program == server {
		r.addPackages(bom)
	}
}

func (r *release) addPackages(bom *cyclonedx.BOM) {
	var references []string
	for _, l := range r.licences {
		if l.ecosystem != "npm" {
			continue
		}
		address := "pkg:npm/" + strings.Replace(l.name, "@", "%40", 1) + "@" + l.version
		*bom.Components = append(*bom.Components, cyclonedx.Component{BOMRef: address, Type: cyclonedx.ComponentTypeLibrary,
			Name: l.name, Version: l.version, Scope: cyclonedx.ScopeRequired, PackageURL: address, Licenses: l.choices()})
		references = append(references, address)
	}
	for i, d := range *bom.Dependencies {
		if d.Ref == bom.Metadata.Component.BOMRef {
			all := append(*d.Dependencies, references...)
			(*bom.Dependencies)[i].Dependencies = &all
		}
	}
}

func (l licence) choices() *cyclonedx.Licenses {
	if strings.Contains(l.identifier, " ") {
		return &cyclonedx.Licenses{{Expression: l.identifier}}
	}
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: l.identifier}}}
}
