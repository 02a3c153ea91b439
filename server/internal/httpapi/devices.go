package httpapi

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListDevices lists the caller's devices.
func (a *server) ListDevices(
	ctx context.Context, in gen.ListDevicesRequestObject,
) (gen.ListDevicesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Devices.List(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListDevices200JSONResponse{
		Body:    api.DevicePage{Data: convert(data, c.toAPIDevice), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListDevices200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// RegisterDevice registers or refreshes the device of the caller's session.
func (a *server) RegisterDevice(
	ctx context.Context, in gen.RegisterDeviceRequestObject,
) (gen.RegisterDeviceResponseObject, error) {
	c := callOf(ctx)
	device, creation, err := a.Devices.Register(ctx, c.caller, fromAPIDeviceInput(*in.Body))
	if err != nil {
		return nil, err
	}
	c.caller.DeviceID = &device.ID
	if creation != core.Created {
		return gen.RegisterDevice200JSONResponse(c.toAPIDevice(device)), nil
	}
	return gen.RegisterDevice201JSONResponse{
		Body: c.toAPIDevice(device),
		Headers: gen.RegisterDevice201ResponseHeaders{
			Location: new(prefix + "/subscribers/devices/" + device.ID.String()),
		},
	}, nil
}

// RenameDevice changes a device's name.
func (a *server) RenameDevice(
	ctx context.Context, in gen.RenameDeviceRequestObject,
) (gen.RenameDeviceResponseObject, error) {
	c := callOf(ctx)
	device, err := a.Devices.Rename(ctx, c.caller, in.ID, fromAPIDevicePatch(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.RenameDevice200JSONResponse(c.toAPIDevice(device)), nil
}

// RemoveDevice stops pushing to a device.
func (a *server) RemoveDevice(
	ctx context.Context, in gen.RemoveDeviceRequestObject,
) (gen.RemoveDeviceResponseObject, error) {
	if err := a.Devices.Remove(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.RemoveDevice204Response{}, nil
}

// TestDevice sends a test push to a device.
func (a *server) TestDevice(ctx context.Context, in gen.TestDeviceRequestObject) (gen.TestDeviceResponseObject, error) {
	result, err := a.Devices.Test(ctx, callOf(ctx).caller, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.TestDevice200JSONResponse(toAPIDeviceTest(result)), nil
}

// toAPIDeviceTest converts the result of a test push. A test push is not retried, so a missing outcome is a failure.
func toAPIDeviceTest(r core.Result) api.DeviceTest {
	if r.Outcome == core.Accepted {
		return api.DeviceTest{Outcome: api.DeviceTestOutcomeAccepted}
	}
	return api.DeviceTest{Outcome: api.DeviceTestOutcomeFailed, Cause: new(cmp.Or(r.Cause, core.CauseUnavailable))}
}

func fromAPIDeviceInput(in api.DeviceInput) core.DeviceInput {
	d := core.DeviceInput{InstallationID: in.InstallationID, Kind: string(in.Kind), Address: value(in.Address),
		Endpoint: value(in.Endpoint), Platform: string(in.Platform), Name: in.Name}
	if in.Keys != nil {
		d.P256dh, d.Auth = in.Keys.P256Dh, in.Keys.Auth
	}
	return d
}

func fromAPIDevicePatch(in api.DevicePatch) core.DeviceRename {
	return core.DeviceRename{Name: in.Name}
}

func (c *call) toAPIDevice(d core.Device) api.Device {
	return api.Device{
		ID: d.ID, InstallationID: d.InstallationID, Kind: api.DeviceKind(d.Push.Kind),
		Platform: api.Platform(d.Platform),
		Name:     d.Name, Current: c.caller.DeviceID != nil &&
			*c.caller.DeviceID == d.ID, CreatedAt: d.CreatedAt.UTC(), LastSeenAt: d.SeenAt.UTC(),
		RingsSince: utc(d.RingsSince), ShownAt: utc(d.ShownAt), UnshownSince: utc(d.UnshownSince),
		RetiredAt: utc(d.RetiredAt),
	}
}
