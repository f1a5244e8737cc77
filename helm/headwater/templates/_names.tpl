{{- define "headwater.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "headwater.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains (include "headwater.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "headwater.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "headwater.selector" -}}
app.kubernetes.io/name: {{ include "headwater.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "headwater.labels" -}}
{{ include "headwater.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Facts and values of every enabled service, by name: {"fact": …, "own": …}, defaults merged in. */}}
{{- define "headwater.services" -}}
{{- $facts := .Files.Get "services.json" | fromJson -}}
{{- $made := dict -}}
{{- range $name, $fact := $facts -}}
{{- $own := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy (index $.Values.services $name)) -}}
{{- if $own.enabled -}}
{{- if not $.Values.pointersOnly.enabled -}}
{{- range $part := $fact.pointersOnly }}{{ $_ := set $fact "parts" (without $fact.parts $part) }}{{ end -}}
{{- end -}}
{{- $_ := set $made $name (dict "fact" $fact "own" $own) -}}
{{- end -}}
{{- end -}}
{{- $made | toJson -}}
{{- end -}}

{{/* The most replicas that can have work: partitions of the topic with most. */}}
{{- define "headwater.mostReplicas" -}}
{{- $most := 0 -}}
{{- range .fact.consumes -}}
{{- $most = max $most (default .partitions (index $.root.Values.topics.partitions .topic)) -}}
{{- end -}}
{{- $most -}}
{{- end -}}

{{- define "headwater.image" -}}
{{- $image := .root.Values.image -}}
{{- $path := printf "%s/%s" $image.repository .name -}}
{{- if $image.registry -}}{{- $path = printf "%s/%s" $image.registry $path -}}{{- end -}}
{{- $digest := index $image.digests .name -}}
{{- if $digest -}}{{ $path }}@{{ $digest }}{{- else -}}{{ $path }}:{{ default .root.Chart.AppVersion $image.tag }}{{- end -}}
{{- end -}}
