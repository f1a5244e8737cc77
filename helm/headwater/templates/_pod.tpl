{{/* Where each part's files come from: {"name", "mount", and "secret" or "configMap"}. */}}
{{- define "headwater.files" -}}
{{- $v := .root.Values -}}
{{- $full := include "headwater.fullname" .root -}}
{{- $parts := .fact.parts -}}
{{- $made := list -}}
{{- if $v.kafka.existingSecret }}{{ $made = append $made (dict "name" "kafka" "secret" $v.kafka.existingSecret) }}{{ end -}}
{{- if and (has "catalog" $parts) $v.postgresql.caKey }}{{ $made = append $made (dict "name" "postgresql" "secret" $v.postgresql.existingSecret) }}{{ end -}}
{{- if and (has "milvus" $parts) $v.milvus.caKey }}{{ $made = append $made (dict "name" "milvus" "secret" $v.milvus.existingSecret) }}{{ end -}}
{{- if and (has "triton" $parts) $v.triton.caKey }}{{ $made = append $made (dict "name" "triton" "secret" $v.triton.existingSecret) }}{{ end -}}
{{- if has "git" $parts -}}
{{- $made = append $made (dict "name" "repositories" "configMap" (printf "%s-repositories" $full)) -}}
{{- if $v.git.existingSecret }}{{ $made = append $made (dict "name" "git" "secret" $v.git.existingSecret) }}{{ end -}}
{{- end -}}
{{- if has "access" $parts -}}
{{- if $v.access.policy }}{{ $made = append $made (dict "name" "policy" "configMap" (printf "%s-policy" $full)) }}{{ end -}}
{{- if $v.access.tls.existingSecret }}{{ $made = append $made (dict "name" "tls" "secret" $v.access.tls.existingSecret) }}{{ end -}}
{{- end -}}
{{- if and (or (has "access" $parts) (has "caller" $parts)) $v.access.caSecret }}{{ $made = append $made (dict "name" "ca" "secret" $v.access.caSecret) }}{{ end -}}
{{- if and (has "caller" $parts) $v.canary.existingSecret }}{{ $made = append $made (dict "name" "caller" "secret" $v.canary.existingSecret) }}{{ end -}}
{{- $made | toJson -}}
{{- end -}}

{{- define "headwater.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: {drop: [ALL]}
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "headwater.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "headwater.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Liveness never asks the gRPC port: a service that refuses questions under load must not be restarted. */}}
{{- define "headwater.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: health}
  periodSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: health}
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
{{- if and (eq .name "query") (not .root.Values.access.tls.existingSecret) }}
  grpc: {port: 7070, service: readiness}
{{- else }}
  httpGet: {path: /readyz, port: health}
{{- end }}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 3
{{- end -}}

{{- define "headwater.mirrorsClaim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources: {requests: {storage: {{ .size }}}}
{{- end -}}

{{/* The pod of every service. */}}
{{- define "headwater.pod" -}}
{{- $root := .root -}}
{{- $files := include "headwater.files" . | fromJsonArray -}}
{{- $mirrors := has "git" .fact.parts -}}
{{- $audit := and (has "access" .fact.parts) $root.Values.access.audit.enabled -}}
metadata:
  labels:
    {{- include "headwater.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
    {{- with .own.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    {{- if has .name (list "commit-ingest" "ast-chunker") }}
    checksum/repositories: {{ $root.Values.git.repositories | toJson | sha256sum }}
    {{- end }}
    checksum/settings: {{ list $root.Values.settings .own.settings | toJson | sha256sum }}
    {{- with .own.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "headwater.fullname" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false # its variables would look like settings
  terminationGracePeriodSeconds: {{ .own.terminationGracePeriodSeconds }}
  {{- with .own.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- include "headwater.pullSecrets" $root | nindent 2 }}
  securityContext:
    {{- include "headwater.podSecurity" . | nindent 4 }}
  containers:
    - name: {{ .name }}
      image: {{ include "headwater.image" . }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [service, {{ .name }}]
      securityContext:
        {{- include "headwater.containerSecurity" . | nindent 8 }}
      env:
        {{- include "headwater.serviceEnv" . | nindent 8 }}
      ports:
        - {name: health, containerPort: 9090}
        {{- with .fact.listener }}
        - {name: {{ .name }}, containerPort: {{ .port }}}
        {{- end }}
      {{- include "headwater.probes" . | nindent 6 }}
      {{- if .fact.listener }}
      lifecycle:
        preStop: {sleep: {seconds: 5}} # until no caller is sent here any more
      {{- end }}
      resources:
        {{- toYaml .own.resources | nindent 8 }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- range $files }}
        - {name: {{ .name }}, mountPath: /etc/headwater/{{ .name }}, readOnly: true}
        {{- end }}
        {{- if $mirrors }}
        - {name: mirrors, mountPath: /var/lib/headwater/mirrors}
        {{- end }}
        {{- if $audit }}
        - {name: audit, mountPath: /var/log/headwater}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 512Mi}
    {{- range $files }}
    - name: {{ .name }}
      {{- if .secret }}
      secret: {secretName: {{ .secret }}, defaultMode: 0440}
      {{- else }}
      configMap: {name: {{ .configMap }}}
      {{- end }}
    {{- end }}
    {{- if $audit }}
    - name: audit
      {{- with $root.Values.access.audit }}
      {{- if .existingClaim }}
      persistentVolumeClaim: {claimName: {{ .existingClaim }}}
      {{- else }}
      emptyDir: {sizeLimit: {{ .size }}}
      {{- end }}
      {{- end }}
    {{- end }}
    {{- if $mirrors }}
    {{- if eq .own.mirrors.kind "emptyDir" }}
    - name: mirrors
      emptyDir: {sizeLimit: {{ .own.mirrors.size }}}
    {{- else if eq .fact.kind "Deployment" }}
    - name: mirrors
      ephemeral:
        volumeClaimTemplate:
          spec:
            {{- include "headwater.mirrorsClaim" .own.mirrors | nindent 12 }}
    {{- end }}
    {{- end }}
  topologySpreadConstraints:
    {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "headwater.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ $.name }}
    {{- end }}
  {{- with .own.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .own.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .own.affinity }}
  affinity: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
