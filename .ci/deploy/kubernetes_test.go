package deploy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// files has what the tests check.
const files = "../../examples/deploy"

// TestKubernetes builds the manifests with kustomize, and reads them strictly: an unknown or repeated field is an error.
func TestKubernetes(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(files, "kubernetes"))); err != nil {
		t.Fatalf("copy the manifests: %v", err)
	}
	settings, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatalf("read the example of the settings: %v", err)
	}
	appended := "SECRET_KEY=c2VncmVkbw==\nDEMO_WEBHOOK_URL=https://sininho.example.com/demo\n" // as by the guide
	for name, text := range map[string]string{"sininho.env": string(settings) + appended, "firebase.json": "{}"} {
		if err := os.WriteFile(filepath.Join(folder, "settings", name), []byte(text), 0o600); err != nil {
			t.Fatalf("write the settings: %v", err)
		}
	}
	for what, want := range map[string]map[string]int{
		"migrate": {"Namespace": 1, "Secret": 2, "Job": 1},
		"server":  {"Namespace": 1, "Secret": 2, "Deployment": 1, "Service": 1, "PodDisruptionBudget": 1, "Ingress": 1},
	} {
		manifests, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(folder, what))
		if err != nil {
			t.Fatalf("kustomize %s: %v", what, err)
		}
		all, err := manifests.AsYaml()
		if err != nil {
			t.Fatalf("kustomize %s: %v", what, err)
		}
		got := map[string]int{}
		for _, object := range decode(t, all) {
			got[object.GetObjectKind().GroupVersionKind().Kind]++
			checkPod(t, object)
			if ingress, ok := object.(*networkingv1.Ingress); ok &&
				ingress.Annotations["nginx.ingress.kubernetes.io/proxy-body-size"] != "3m" {
				t.Errorf("largest body by the ingress: got %v, want 3m, more than a batch", ingress.Annotations)
			}
		}
		for kind, n := range want {
			if got[kind] != n {
				t.Errorf("%s: got %d of %s, want %d", what, got[kind], kind, n)
			}
		}
	}
}

func decode(t *testing.T, manifests []byte) (objects []runtime.Object) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme,
		networkingv1.AddToScheme, policyv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("scheme: %v", err)
		}
	}
	strict := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	for documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(manifests))); ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatalf("read the manifests: %v", err)
		}
		object, kind, err := strict.Decode(document, nil, nil)
		if err != nil {
			t.Fatalf("%v:\n%s", err, bytes.TrimSpace(document))
		}
		object.GetObjectKind().SetGroupVersionKind(*kind)
		objects = append(objects, object)
	}
}
