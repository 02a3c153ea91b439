package command

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// pictureFlag returns a flag that takes a picture.
func pictureFlag(name, of string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: "https or http `ADDRESS` of " + of + ", or a file to upload"}
}

func publishersUploadCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "upload",
		Usage:     "upload a picture for notifications, channels or the publisher",
		ArgsUsage: "PUBLISHER FILE",
		Description: "The file is a PNG, JPEG, WebP or GIF of at most 5 MiB. The address of the picture is\n" +
			"written to stdout. Options such as 'publish --image' upload a file too.\n\n" +
			example("sininho publishers upload acme logo.png"),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			picture, err := s.uploadFile(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			if s.json {
				return quiet(s, s.writeJSON(picture))
			}
			s.talk("Uploaded %s: %d×%d pixels", args[1], picture.Width, picture.Height)
			return quiet(s, s.writeLine([]byte(picture.URL)))
		},
	}
}

func (s *session) uploadFile(ctx context.Context, publisher, path string) (*sininho.Picture, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usagef("%v", err)
	}
	defer func() { _ = file.Close() }()
	client, err := s.signIn()
	if err != nil {
		return nil, err
	}
	picture, err := client.Publishers.UploadPicture(ctx, publisher, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return picture, nil
}

// nothingElse finds no fault in an input whose rules only the server has.
func nothingElse() error { return nil }

// uploadFiles replaces the paths of files among pictures of a publisher, or of one of its channels, by addresses, once
// the rest of an input is valid.
func (s *session) uploadFiles(c *cli.Context, owner string, validate func() error, pictures ...*string) error {
	publisher, _, _ := strings.Cut(owner, "/")
	paths := map[*string]string{}
	for _, p := range pictures {
		if p != nil && isPath(*p) {
			paths[p], *p = *p, ""
		}
	}
	if err := validate(); err != nil {
		return err
	}
	for p, path := range paths {
		picture, err := s.uploadFile(c.Context, publisher, path)
		if err != nil {
			return err
		}
		*p = picture.URL
	}
	return nil
}

// isPath reports whether the value of a flag for pictures is a path, which need not exist, and no address.
func isPath(value string) bool {
	if value == "" || strings.Contains(value, "://") {
		return false
	}
	_, err := os.Stat(value)
	return err == nil || !strings.Contains(value, ":")
}
