"""A real kube-apiserver with etcd on loopback, and what it says of the chart; no kubelet, so no pod runs."""
