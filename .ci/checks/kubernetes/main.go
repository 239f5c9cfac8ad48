// Command kubernetes checks the Job of docs/farm.md, which it reads from standard input, against the types of the Kubernetes API:
//
//	kubernetes < job.yaml
//
// Unknown fields and values of other types are errors.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubernetes:", err)
		os.Exit(1)
	}
}

// check tells what is wrong with a manifest.
func check(text []byte) error {
	var job batch.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		return err
	}
	s := &job.Spec
	switch {
	case job.APIVersion != "batch/v1" || job.Kind != "Job":
		return fmt.Errorf("it is a %s of %s", job.Kind, job.APIVersion)
	case s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion:
		return errors.New("its pods have no index")
	case s.Template.Spec.RestartPolicy != core.RestartPolicyNever:
		return errors.New("a failure policy wants pods that do not restart by themselves")
	case s.BackoffLimitPerIndex == nil || s.PodFailurePolicy == nil || len(s.PodFailurePolicy.Rules) == 0:
		return errors.New("it does not say what follows exit codes")
	}
	for _, rule := range s.PodFailurePolicy.Rules {
		if rule.OnExitCodes == nil || rule.Action != batch.PodFailurePolicyActionFailIndex ||
			!slices.Equal(rule.OnExitCodes.Values, []int32{2}) || rule.OnExitCodes.Operator != batch.PodFailurePolicyOnExitCodesOpIn {
			return fmt.Errorf("rule %+v: want that 2 fails an index, and nothing else does at once", rule)
		}
		named := func(c core.Container) bool { return c.Name == *rule.OnExitCodes.ContainerName }
		if rule.OnExitCodes.ContainerName == nil || !slices.ContainsFunc(s.Template.Spec.Containers, named) {
			return errors.New("a rule names a container that is not there")
		}
	}
	command := strings.Join(s.Template.Spec.Containers[0].Args, " ")
	if shards := fmt.Sprintf("--shard $JOB_COMPLETION_INDEX/%d ", *s.Completions); !strings.Contains(command, shards) {
		return fmt.Errorf("%q does not say %s", command, shards)
	}
	return nil
}
