package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/sininho/sininho/pkg/sininho"
)

// publisher publishes a repository: several channels at once, but the commits of a channel one
// after the other, so that its feed has their order.
type publisher struct {
	config     config
	client     *sininho.Client
	repository repository
	progress   *progress
}

// job is a branch with its channel and commits.
type job struct {
	branch, channel string
	hashes          []string
}

func (p *publisher) publishAll(ctx context.Context) (*summary, error) {
	s := newSummary()
	jobs, err := p.prepare(ctx, s)
	if err != nil {
		return s, err
	}
	p.progress.start(jobs)
	defer p.progress.finish()
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(p.config.parallel)
	for _, j := range jobs {
		group.Go(func() error {
			if err := p.publishBranch(groupCtx, j, s); err != nil {
				return fmt.Errorf("branch %s: %w", j.branch, err)
			}
			return nil
		})
	}
	err = group.Wait()
	if ctx.Err() != nil {
		return s, fmt.Errorf("interrupted; run it again to publish the rest: %w", ctx.Err())
	}
	return s, err
}

// prepare determines what to publish to which channel, before anything is published.
func (p *publisher) prepare(ctx context.Context, s *summary) ([]job, error) {
	branches := p.config.branches
	if len(branches) == 0 {
		var err error
		if branches, err = p.repository.branches(ctx); err != nil {
			return nil, err
		}
	}
	if len(branches) == 0 {
		return nil, errors.New("the repository has no branch; --branch HEAD publishes what is checked out")
	}
	var jobs []job
	for _, branch := range bySlug(p.config.prefix, branches) {
		if err := validName(branch); err != nil {
			return nil, err
		}
		hashes, err := p.repository.hashes(ctx, branch, p.config.limit)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job{branch: branch, hashes: hashes})
	}
	return jobs, p.findChannels(ctx, jobs, s)
}

func (p *publisher) findChannels(ctx context.Context, jobs []job, s *summary) error {
	all := channels{client: p.client, config: p.config, taken: map[string]bool{}}
	for i := range jobs {
		address, created, err := all.of(ctx, jobs[i].branch)
		if err != nil {
			return err
		}
		jobs[i].channel = address
		s.addBranch(jobs[i], created)
	}
	return nil
}

func (p *publisher) publishBranch(ctx context.Context, j job, s *summary) error {
	known, err := p.published(ctx, j.channel)
	if err != nil {
		return err
	}
	return p.repository.commits(ctx, j.hashes, func(c commit) error {
		defer p.progress.step()
		inputs, exact := messages(c, p.config.link)
		if !exact {
			s.addInexact(c.hash)
		}
		for _, in := range inputs {
			if known[in.ExternalID] {
				s.add(j, false)
				continue
			}
			result, err := p.client.Notifications.Publish(ctx, j.channel, in)
			if err != nil {
				return fmt.Errorf("commit %s: %w", c.hash, err)
			}
			s.add(j, result.Created || result.Replayed && !result.Existing)
		}
		return nil
	})
}

// published returns the external ids that a channel already has, so that only new commits are sent.
// This only saves requests: a channel accepts each id once anyway.
func (p *publisher) published(ctx context.Context, channel string) (map[string]bool, error) {
	known := map[string]bool{}
	for n, err := range p.client.Notifications.List(ctx, channel, sininho.ListOptions{PageSize: 100}) {
		if err != nil {
			return nil, err
		}
		known[n.ExternalID] = true
	}
	return known, nil
}
