package deploy

import (
	"fmt"
	"slices"
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
	case *corev1.Service:
		if len(o.Spec.Ports) != 1 || o.Spec.Ports[0].TargetPort.String() != "http" {
			t.Errorf("ports of the service: got %v, want http alone", o.Spec.Ports)
		}
	case *appsv1.Deployment:
		checkContainer(t, o.Name, o.Spec.Template.Spec)
		if o.Spec.Replicas == nil || *o.Spec.Replicas < 2 {
			t.Errorf("replicas: got %v, want several", o.Spec.Replicas)
		}
		c := o.Spec.Template.Spec.Containers[0]
		checkMetrics(t, c)
		for probe, want := range map[*corev1.Probe]string{
			c.StartupProbe: "/livez", c.LivenessProbe: "/livez", c.ReadinessProbe: "/readyz",
		} {
			if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != want {
				t.Errorf("probe: got %v, want one of %s", probe, want)
			}
		}
	}
}

// checkMetrics checks that Prometheus finds the metrics by the name of their port.
func checkMetrics(t *testing.T, c corev1.Container) {
	t.Helper()
	address := slices.IndexFunc(c.Env, func(v corev1.EnvVar) bool { return v.Name == "METRICS_ADDR" })
	port := slices.IndexFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == "metrics" })
	if address < 0 || port < 0 || c.Env[address].Value != fmt.Sprint(":", c.Ports[port].ContainerPort) {
		t.Errorf("metrics: got settings %v and ports %v, want METRICS_ADDR at the port metrics", c.Env, c.Ports)
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
