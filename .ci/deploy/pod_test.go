package deploy

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// checkPod checks that what an object runs has no rights that it does not need, and that servers are probed.
func checkPod(t *testing.T, object runtime.Object) {
	t.Helper()
	switch o := object.(type) {
	case *batchv1.Job:
		checkContainer(t, o.Name, o.Spec.Template.Spec)
	case *appsv1.Deployment:
		checkContainer(t, o.Name, o.Spec.Template.Spec)
		if o.Spec.Replicas == nil || *o.Spec.Replicas < 2 {
			t.Errorf("replicas: got %v, want several", o.Spec.Replicas)
		}
		c := o.Spec.Template.Spec.Containers[0]
		for probe, want := range map[*corev1.Probe]string{
			c.StartupProbe: "/livez", c.LivenessProbe: "/livez", c.ReadinessProbe: "/readyz",
		} {
			if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != want {
				t.Errorf("probe: got %v, want one of %s", probe, want)
			}
		}
	}
}

func checkContainer(t *testing.T, name string, pod corev1.PodSpec) {
	t.Helper()
	security, own := pod.SecurityContext, pod.Containers[0].SecurityContext
	if security == nil || security.RunAsNonRoot == nil || !*security.RunAsNonRoot {
		t.Errorf("%s: may run as root", name)
	}
	if own == nil || own.ReadOnlyRootFilesystem == nil || !*own.ReadOnlyRootFilesystem {
		t.Errorf("%s: may write to its image", name)
	}
	if own == nil || own.Capabilities == nil || len(own.Capabilities.Drop) != 1 || own.Capabilities.Drop[0] != "ALL" {
		t.Errorf("%s: keeps capabilities", name)
	}
	if r := pod.Containers[0].Resources; r.Requests.Cpu().IsZero() || r.Limits.Memory().IsZero() {
		t.Errorf("%s: has no bounds of CPU and memory", name)
	}
}
