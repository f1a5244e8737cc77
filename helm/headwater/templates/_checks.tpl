{{/* What a schema can't say: values that contradict each other. */}}
{{- define "headwater.checks" -}}
{{- $v := .Values -}}
{{- if not $v.kafka.brokers }}{{ fail "kafka.brokers: name your brokers, host:port with commas" }}{{ end -}}
{{- if not $v.postgresql.host }}{{ fail "postgresql.host: name your PostgreSQL" }}{{ end -}}
{{- if not $v.milvus.address }}{{ fail "milvus.address: name your Milvus, http(s)://host:19530" }}{{ end -}}
{{- if not $v.triton.address }}{{ fail "triton.address: name your Triton, host:port" }}{{ end -}}
{{- if and (ne $v.kafka.sasl "none") (not $v.kafka.existingSecret) }}{{ fail "kafka.sasl needs kafka.existingSecret with username and password" }}{{ end -}}
{{- range $part := list "postgresql" "milvus" "triton" -}}
{{- $own := index $v $part -}}
{{- if and $own.caKey (not $own.existingSecret) }}{{ fail (printf "%s.caKey needs %s.existingSecret" $part $part) }}{{ end -}}
{{- end -}}
{{- if and $v.milvus.tokenKey (not $v.milvus.existingSecret) }}{{ fail "milvus.tokenKey needs milvus.existingSecret" }}{{ end -}}
{{- if and $v.git.config (not $v.git.existingSecret) }}{{ fail "git.config needs git.existingSecret with the key gitconfig" }}{{ end -}}
{{- if and $v.access.tls.clientCa (not $v.access.tls.existingSecret) }}{{ fail "access.tls.clientCa needs access.tls.existingSecret" }}{{ end -}}
{{- if and $v.access.tls.clientCa $v.canary.existingSecret (ne $v.canary.identity "certificate") }}{{ fail "access.tls.clientCa needs canary.identity=certificate" }}{{ end -}}
{{- if and (eq $v.canary.identity "certificate") (not $v.access.tls.existingSecret) }}{{ fail "canary.identity=certificate needs access.tls.existingSecret" }}{{ end -}}
{{- if and $v.pointersOnly.enabled (not $v.pointersOnly.existingSecret) }}{{ fail "pointersOnly.enabled needs pointersOnly.existingSecret" }}{{ end -}}
{{- $issuer := dig "oidc_issuer" "" $v.settings.access -}}
{{- if not (or $v.access.anonymous $issuer $v.access.tls.clientCa) }}{{ fail "nothing says who may ask: set settings.access.oidc_issuer, access.tls.clientCa or access.anonymous" }}{{ end -}}
{{- if and $issuer (not (dig "oidc_audience" "" $v.settings.access)) }}{{ fail "settings.access.oidc_issuer needs settings.access.oidc_audience" }}{{ end -}}
{{- if and $v.externalSecrets.enabled (not $v.externalSecrets.store.name) }}{{ fail "externalSecrets.enabled needs externalSecrets.store.name" }}{{ end -}}
{{- if and $v.services.query.enabled (not (dig "page_secret" "secret" "" $v.services.query.secretSettings)) }}{{ fail "services.query.secretSettings.page_secret: name a Secret and key, the same for every replica" }}{{ end -}}
{{- range $name, $s := include "headwater.services" . | fromJson -}}
{{- $scaling := $s.own.autoscaling -}}
{{- $most := include "headwater.mostReplicas" (dict "root" $ "fact" $s.fact) | int -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) }}{{ fail (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $name) }}{{ end -}}
{{- $asked := ternary $scaling.maxReplicas $s.own.replicas $scaling.enabled | int -}}
{{- if and $most (gt $asked $most) }}{{ fail (printf "services.%s: %d replicas, but its topics have %d partitions: the others would idle; see topics.partitions" $name $asked $most) }}{{ end -}}
{{- end -}}
{{- end -}}
