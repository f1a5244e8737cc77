{{/* A setting's value as the program reads it: lists with commas, whole numbers without exponent. */}}
{{- define "headwater.value" -}}
{{- if kindIs "slice" . -}}{{ join "," . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}
{{- else -}}{{ . }}
{{- end -}}
{{- end -}}

{{- define "headwater.settings" -}}
{{- $prefix := printf "HEADWATER_%s_" (.part | replace "-" "_" | upper) -}}
{{- range $field, $value := .values }}
- {name: {{ $prefix }}{{ upper $field }}, value: {{ include "headwater.value" $value | quote }}}
{{- end }}
{{- end -}}

{{/* How Kafka is reached, under the prefix of a service. */}}
{{- define "headwater.kafkaEnv" }}
- {name: {{ .prefix }}BROKERS, value: {{ .root.Values.kafka.brokers | quote }}}
{{- if .root.Values.kafka.existingSecret }}
- {name: {{ .prefix }}KAFKA_PROPERTIES, value: /etc/headwater/kafka/kafka.properties}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.catalog" }}
{{- with .Values.postgresql }}
- {name: HEADWATER_CATALOG_URL, value: {{ printf "postgresql://%s@%s/%s" .user .host .database | quote }}}
- {name: PGSSLMODE, value: {{ .sslMode }}}
{{- if .existingSecret }}
- name: PGPASSWORD
  valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: {{ .passwordKey }}}}
{{- end }}
{{- if .caKey }}
- {name: PGSSLROOTCERT, value: /etc/headwater/postgresql/{{ .caKey }}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.milvus" }}
{{- with .Values.milvus }}
- {name: HEADWATER_MILVUS_ADDRESS, value: {{ .address | quote }}}
{{- if .tokenKey }}
- name: HEADWATER_MILVUS_TOKEN
  valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: {{ .tokenKey }}}}
{{- end }}
{{- if .caKey }}
- {name: GRPC_DEFAULT_SSL_ROOTS_FILE_PATH, value: /etc/headwater/milvus/{{ .caKey }}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.triton" }}
{{- with .Values.triton }}
- {name: HEADWATER_TRITON_ADDRESS, value: {{ .address | quote }}}
{{- if .tls }}
- {name: HEADWATER_TRITON_TLS, value: "true"}
{{- end }}
{{- if .caKey }}
- {name: HEADWATER_TRITON_CA, value: /etc/headwater/triton/{{ .caKey }}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.git" }}
- {name: HEADWATER_GIT_MIRRORS, value: /var/lib/headwater/mirrors}
- {name: HEADWATER_GIT_REPOSITORIES_FILE, value: /etc/headwater/repositories/repositories}
{{- if .Values.git.config }}
- {name: GIT_CONFIG_GLOBAL, value: /etc/headwater/git/gitconfig}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.access" }}
{{- with .Values.access }}
{{- if .anonymous }}
- {name: HEADWATER_ACCESS_ANONYMOUS, value: "true"}
{{- end }}
{{- if .policy }}
- {name: HEADWATER_ACCESS_POLICY, value: /etc/headwater/policy/policy.yaml}
{{- end }}
{{- if .tls.existingSecret }}
- {name: HEADWATER_ACCESS_TLS_CERTIFICATE, value: /etc/headwater/tls/tls.crt}
- {name: HEADWATER_ACCESS_TLS_KEY, value: /etc/headwater/tls/tls.key}
{{- end }}
{{- if .tls.clientCa }}
- {name: HEADWATER_ACCESS_CLIENT_CA, value: /etc/headwater/tls/client-ca.crt}
{{- end }}
{{- if .caSecret }}
- {name: HEADWATER_ACCESS_CA, value: /etc/headwater/ca/ca.crt}
{{- end }}
{{- if .audit.enabled }}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- {name: HEADWATER_ACCESS_AUDIT_LOG, value: /var/log/headwater/$(POD_NAME).jsonl}
{{- end }}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.caller" }}
{{- if .Values.access.tls.existingSecret }}
- {name: HEADWATER_CALLER_TLS, value: "true"}
{{- end }}
{{- if .Values.access.caSecret }}
- {name: HEADWATER_CALLER_CA, value: /etc/headwater/ca/ca.crt}
{{- end }}
{{- if .Values.canary.existingSecret }}
{{- if eq .Values.canary.identity "token" }}
- {name: HEADWATER_CALLER_TOKEN_FILE, value: /etc/headwater/caller/token}
{{- else }}
- {name: HEADWATER_CALLER_CERTIFICATE, value: /etc/headwater/caller/tls.crt}
- {name: HEADWATER_CALLER_KEY, value: /etc/headwater/caller/tls.key}
{{- end }}
{{- end }}
{{- end -}}

{{- define "headwater.partEnv.indexing" }}
{{- if .Values.pointersOnly.enabled }}
- {name: HEADWATER_INDEXING_POINTERS_ONLY, value: "true"}
- name: HEADWATER_INDEXING_TERM_KEY
  valueFrom: {secretKeyRef: {name: {{ .Values.pointersOnly.existingSecret }}, key: {{ .Values.pointersOnly.key }}}}
{{- end }}
{{- end -}}

{{- define "headwater.serviceEnv" -}}
{{- $root := .root -}}
{{- $prefix := printf "HEADWATER_%s_" (.name | replace "-" "_" | upper) -}}
{{- include "headwater.kafkaEnv" (dict "root" $root "prefix" $prefix) }}
- {name: {{ $prefix }}HEALTH_HOST, value: 0.0.0.0}
- {name: {{ $prefix }}HEALTH_PORT, value: "9090"}
{{- if .fact.stableName }}
- name: {{ $prefix }}INSTANCE
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- end }}
{{- if .fact.dataFolder }}
- {name: {{ $prefix }}DATA, value: /tmp/headwater}
{{- end }}
{{- if eq .name "commit-ingest" }}
- {name: {{ $prefix }}HOST, value: 0.0.0.0}
- {name: {{ $prefix }}PORT, value: "8080"}
{{- else if eq .name "query" }}
- {name: {{ $prefix }}ADDRESS, value: "0.0.0.0:7070"}
{{- else if and (eq .name "reconciler") (or $root.Values.access.anonymous $root.Values.canary.existingSecret) }}
- {name: {{ $prefix }}QUERY, value: "{{ include "headwater.fullname" $root }}-query:7070"}
{{- end }}
{{- range $part := .fact.parts }}
{{- if has $part (list "access" "caller" "catalog" "git" "indexing" "milvus" "triton") }}
{{- include (printf "headwater.partEnv.%s" $part) $root }}
{{- end }}
{{- include "headwater.settings" (dict "part" $part "values" (index $root.Values.settings $part)) }}
{{- end }}
{{- include "headwater.settings" (dict "part" "tracing" "values" $root.Values.settings.tracing) }}
{{- include "headwater.settings" (dict "part" .name "values" .own.settings) }}
{{- range $field, $from := .own.secretSettings }}
- name: {{ $prefix }}{{ upper $field }}
  valueFrom: {secretKeyRef: {name: {{ $from.secret }}, key: {{ $from.key }}}}
{{- end }}
{{- with .own.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
