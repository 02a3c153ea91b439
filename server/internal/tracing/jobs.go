package tracing

import (
	"context"
	"encoding/json"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Jobs carries traces over River's jobs: a job is worked in the trace in which it was inserted. It is middleware of a
// client, of one with a tracer only.
type Jobs struct {
	river.MiddlewareDefaults

	Tracer *Tracer
}

// InsertMany implements rivertype.JobInsertMiddleware.
func (*Jobs) InsertMany(ctx context.Context, jobs []*rivertype.JobInsertParams,
	insert func(context.Context) ([]*rivertype.JobInsertResult, error)) ([]*rivertype.JobInsertResult, error) {
	if parent := Parent(ctx); parent != "" {
		for _, j := range jobs {
			j.Metadata = withParent(j.Metadata, parent)
		}
	}
	return insert(ctx)
}

// Metadata returns the metadata of a job that is worked in a trace, or nil without one.
func Metadata(parent string) []byte {
	if parent == "" {
		return nil
	}
	return withParent(nil, parent)
}

// withParent adds a trace to the metadata of a job, unless it has one.
func withParent(metadata []byte, parent string) []byte {
	all := map[string]json.RawMessage{}
	if len(metadata) > 0 && json.Unmarshal(metadata, &all) != nil || all[header] != nil {
		return metadata
	}
	all[header], _ = json.Marshal(parent) // a text
	added, err := json.Marshal(all)
	if err != nil {
		return metadata
	}
	return added
}

// Work implements rivertype.WorkerMiddleware.
func (m *Jobs) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	var metadata struct{ Traceparent string }
	if json.Unmarshal(job.Metadata, &metadata) != nil || metadata.Traceparent == "" {
		return work(ctx)
	}
	ctx, span := m.Tracer.Start(WithParent(ctx, metadata.Traceparent), "job "+job.Kind)
	defer span.End()
	span.Number("job.attempt", job.Attempt)
	return work(ctx)
}
