"""What `make chart-apiserver` tries: pods as controllers make them, and objects one change away from right ones."""

from authoring.rendered import manifests
from cluster.wrong import pod_of, wrong_fields, wrong_pods
from support.chart import Manifest

LARGE = manifests("large", "headwater")


def named(kind: str, end: str) -> Manifest:
    return next(m for m in LARGE if m["kind"] == kind and m["metadata"]["name"].endswith(end))


def test_a_pod_is_the_template_with_the_claims_of_its_set() -> None:
    chunker = named("StatefulSet", "-ast-chunker")
    pod = pod_of(chunker)
    assert pod["spec"]["containers"] == chunker["spec"]["template"]["spec"]["containers"]
    assert pod["metadata"]["namespace"] == "headwater"
    mounted = {mount["name"] for mount in pod["spec"]["containers"][0]["volumeMounts"]}
    assert mounted <= {volume["name"] for volume in pod["spec"]["volumes"]}
    assert pod_of(named("Pod", "-test-search")) == named("Pod", "-test-search")


def test_each_wrong_object_differs_and_leaves_the_right_one_alone() -> None:
    query = named("Deployment", "-query")
    before = repr(LARGE)
    wrong = wrong_pods(query) + wrong_fields(LARGE)
    assert repr(LARGE) == before
    assert len({repr(w.manifest) for w in wrong}) == len(wrong) == 13
    assert all(w.manifest["metadata"]["name"] == "must-be-refused" for w in wrong)
