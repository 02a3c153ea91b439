package server

import (
	"reflect"
	"slices"
	"strings"
)

// modeTag is the tag of those parts of Config that only one mode uses, such as `mode:"ANALYTICS=posthog"`.
const modeTag = "mode"

// Values of ANALYTICS.
const (
	analyticsPostHog = "posthog"
	analyticsOff     = "off"
)

// Values of UPLOADS.
const (
	uploadsDatabase = "database"
	uploadsS3       = "s3"
)

// modes returns the chosen modes, as tags name them.
func (c Config) modes() []string {
	modes := []string{"ANALYTICS=" + c.Analytics, "UPLOADS=" + c.Uploads}
	for _, p := range c.Push {
		modes = append(modes, "PUSH="+p)
	}
	for _, s := range c.SignIn {
		modes = append(modes, "SIGN_IN="+s)
	}
	return modes
}

// checkModes validates the choices of Services.
func (c Config) checkModes(p *problems) {
	if c.Analytics != analyticsPostHog && c.Analytics != analyticsOff {
		p.add("ANALYTICS", "must be posthog or off")
	}
	c.checkUploads(p)
	c.checkPush(p)
	c.checkSignIn(p)
}

// checkUploads validates where uploaded pictures are.
func (c Config) checkUploads(p *problems) {
	if c.Uploads != uploadsDatabase && c.Uploads != uploadsS3 {
		p.add("UPLOADS", "must be database or s3")
	}
	if c.S3Endpoint != "" && !isHTTP(c.S3Endpoint) {
		p.add("S3_ENDPOINT", "must be an address such as https://s3.example.com")
	}
	for name, value := range map[string]string{"S3_ENDPOINT": c.S3Endpoint, "S3_BUCKET": c.S3Bucket,
		"S3_ACCESS_KEY_ID": c.S3AccessKeyID, "S3_SECRET_ACCESS_KEY": c.S3SecretAccessKey} {
		if c.Uploads == uploadsS3 && value == "" {
			p.add(name, "is required with UPLOADS=s3")
		}
	}
}

// unused returns the names of the settings that no chosen mode uses.
func (c Config) unused() (names []string) {
	chosen := c.modes()
	config := reflect.TypeFor[Config]()
	for i := range config.NumField() {
		part := config.Field(i)
		mode := part.Tag.Get(modeTag)
		if mode == "" || slices.Contains(chosen, mode) {
			continue
		}
		for j := range part.Type.NumField() {
			names = append(names, nameOf(part.Type.Field(j)))
		}
	}
	return names
}

// withoutUnused returns the problems without those of settings that no chosen mode uses.
func (p problems) withoutUnused(c Config) problems {
	unused := c.unused()
	return slices.DeleteFunc(p, func(problem string) bool {
		name, _, _ := strings.Cut(problem, ":")
		return slices.Contains(unused, strings.TrimSuffix(name, fileSuffix))
	})
}
