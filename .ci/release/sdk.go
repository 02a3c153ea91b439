package main

// packSDK writes the npm package of the TypeScript SDK, built from its source.
func (r *release) packSDK([]build) error {
	_, err := output(r.root, "npm", "pack", "--silent", "--workspace", "sdk-ts", "--pack-destination", r.dist)
	return err
}

// packPython writes the wheel and the source distribution of the Python SDK.
func (r *release) packPython([]build) error {
	_, err := output(r.root, ".ci/build-py", r.dist)
	return err
}
