package httpapi

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// defaultHours is the default of the contract.
const defaultHours = 24

// GetHealth shows how the installation is doing.
func (a *server) GetHealth(ctx context.Context, in gen.GetHealthRequestObject) (gen.GetHealthResponseObject, error) {
	hours := defaultHours
	if in.Params.Hours != nil {
		hours = int(*in.Params.Hours)
	}
	h, err := a.Installation.Health(ctx, callOf(ctx).caller, hours, value(in.Params.Node))
	if err != nil {
		return nil, err
	}
	return gen.GetHealth200JSONResponse(toAPIHealth(h)), nil
}

// ListFailingEventEndpoints lists the event endpoints that fail.
func (a *server) ListFailingEventEndpoints(
	ctx context.Context, in gen.ListFailingEventEndpointsRequestObject,
) (gen.ListFailingEventEndpointsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Installation.FailingEndpoints(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListFailingEventEndpoints200JSONResponse{
		Body: api.FailingEventEndpointPage{
			Data: convert(data, toAPIFailingEventEndpoint), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListFailingEventEndpoints200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// ListSettings lists the settings in force.
func (a *server) ListSettings(
	ctx context.Context, _ gen.ListSettingsRequestObject,
) (gen.ListSettingsResponseObject, error) {
	settings, err := a.Installation.Settings(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.ListSettings200JSONResponse{Data: convert(settings, toAPISetting)}, nil
}

func toAPIHealth(h core.Health) api.Health {
	return api.Health{
		From: h.From.UTC(), Until: h.Until.UTC(),
		PartSeconds: int32(h.Part / time.Second), //nolint:gosec // a few minutes
		Totals:      toAPIHealthTotals(h.Totals),
		Queue: api.HealthQueue{
			Jobs: h.Queue.Jobs, OldestSeconds: h.Queue.Oldest.Seconds(), Events: h.Queue.Events},
		Nodes: convert(h.Nodes, toAPIHealthNode), Parts: convert(h.Parts, toAPIHealthPart),
	}
}

func toAPIHealthTotals(t core.HealthTotals) api.HealthTotals {
	return api.HealthTotals{
		People: t.People, WithoutAccount: t.WithoutAccount, Channels: t.Channels, PrivateChannels: t.PrivateChannels,
		Devices: t.Devices, LastPushAt: utc(t.LastPushAt), FailedLastHour: toAPICauses(t.FailedLastHour),
		FailedLastDay: toAPICauses(t.FailedLastDay), Paused: convert(t.Paused, toAPIHealthPause),
	}
}

func toAPIHealthPause(p core.ServicePause) api.HealthPause {
	return api.HealthPause{Service: p.Service, Cause: p.Cause}
}

func toAPIHealthNode(n core.NodeHealth) api.HealthNode {
	return api.HealthNode{
		Name: n.Node, SeenAt: n.SeenAt.UTC(), Streams: n.Streams, Requests: n.Requests, Errors: n.Errors}
}

func toAPIHealthPart(p core.HealthPart) api.HealthPart {
	return api.HealthPart{
		At: p.At.UTC(), Jobs: p.Jobs, OldestSeconds: p.Oldest.Seconds(), Events: p.Events, Published: p.Published,
		Accepted: p.Accepted, Failed: toAPICauses(p.Failed), Expired: toAPICauses(p.Expired),
		Retried: toAPICauses(p.Retried), Streams: p.Streams, Requests: p.Requests, Errors: p.Errors,
	}
}

func toAPIFailingEventEndpoint(e core.FailingEndpoint) api.FailingEventEndpoint {
	return api.FailingEventEndpoint{
		ID: e.ID, PublisherSlug: e.PublisherSlug, Name: e.Name, Host: e.Host(), Enabled: e.Enabled,
		FailingSince: utc(e.FailingSince), PausedUntil: utc(e.PausedUntil), DisabledAt: utc(e.DisabledAt),
		DisabledReason: optional(e.DisabledReason), LastStatus: optional(int32(e.LastStatus)), //nolint:gosec // of HTTP
		LastError: optional(e.LastError), Pending: e.Pending,
	}
}

func toAPISetting(s core.Setting) api.Setting {
	return api.Setting{
		Name: s.Name, Value: optional(s.Value), Set: s.Set, Secret: s.Secret, Source: api.SettingSource(s.Source)}
}
