{{- define "eds.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "eds.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "eds.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "eds.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "eds.selector" -}}
app.kubernetes.io/name: {{ include "eds.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "eds.labels" -}}
{{ include "eds.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "eds.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "eds.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "eds.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Numbers of values are floats: whole ones would be written as 8.64e+04. */}}
{{- define "eds.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{- printf "%.0f" . -}}{{- else -}}{{- toString . -}}{{- end -}}
{{- end -}}

{{- define "eds.port" -}}
{{- include "eds.text" (get .Values.config "PORT" | default 3000) -}}
{{- end -}}

{{/* A variable from a Secret: (list NAME secret key) */}}
{{- define "eds.secretEnv" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
{{- end -}}

{{/* The variables of a part: (list context part). A part gets only the secrets that it uses. */}}
{{- define "eds.env" -}}
{{- $ := index . 0 -}}
{{- $part := index . 1 -}}
{{- if eq $part "web" }}
# First, so that the variables below can contain $(POD_IP).
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
{{- end }}
{{- range $name := keys $.Values.config | sortAlpha }}
- name: {{ $name }}
  value: {{ include "eds.text" (get $.Values.config $name) | quote }}
{{- end }}
{{ include "eds.secretEnv" (list "DATABASE_URL" $.Values.database.existingSecret $.Values.database.urlKey) }}
{{- if $.Values.database.directUrlKey }}
{{ include "eds.secretEnv" (list "DATABASE_DIRECT_URL" $.Values.database.existingSecret $.Values.database.directUrlKey) }}
{{- end }}
{{- if has $part (list "web" "worker") }}
{{ include "eds.secretEnv" (list "ENCRYPTION_KEY" $.Values.secrets.existingSecret $.Values.secrets.encryptionKeyKey) }}
{{- end }}
{{- if and (eq $part "worker") $.Values.mail.existingSecret }}
{{ include "eds.secretEnv" (list "MAIL_URL" $.Values.mail.existingSecret $.Values.mail.urlKey) }}
{{- end }}
{{- if eq $part "web" }}
{{- if and $.Values.mail.existingSecret (not (hasKey $.Values.config "MAIL_ENABLED")) }}
- name: MAIL_ENABLED
  value: "true"
{{- end }}
{{ include "eds.secretEnv" (list "AUTH_SECRET" $.Values.secrets.existingSecret $.Values.secrets.authSecretKey) }}
{{- if $.Values.idpSignIn.clientId }}
- name: IDP_OAUTH_CLIENT_ID
  value: {{ $.Values.idpSignIn.clientId | quote }}
{{ include "eds.secretEnv" (list "IDP_OAUTH_CLIENT_SECRET" (required "idpSignIn.existingSecret must name the Secret with the secret of the OAuth client idpSignIn.clientId" $.Values.idpSignIn.existingSecret) $.Values.idpSignIn.secretKey) }}
{{- else if $.Values.idpSignIn.existingSecret }}
{{- fail "idpSignIn.clientId must be set together with idpSignIn.existingSecret" }}
{{- end }}
{{- if $.Values.platformAdmin.existingSecret }}
{{ include "eds.secretEnv" (list "PLATFORM_ADMIN_TOKEN" $.Values.platformAdmin.existingSecret $.Values.platformAdmin.tokenKey) }}
{{- end }}
{{- if $.Values.metrics.existingSecret }}
{{ include "eds.secretEnv" (list "METRICS_TOKEN" $.Values.metrics.existingSecret $.Values.metrics.tokenKey) }}
{{- end }}
{{- if not (hasKey $.Values.config "TUNNEL_PEER_URL") }}
- name: TUNNEL_PEER_URL
  value: http://$(POD_IP):{{ include "eds.port" $ }}
{{- end }}
{{- end }}
{{- with $.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What every pod has: (list context part) */}}
{{- define "eds.podBasics" -}}
{{- $ := index . 0 -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- with $.Values.database.caConfigMap }}
  - name: database-ca
    configMap:
      name: {{ . }}
{{- end }}
{{- end -}}

{{/* What every container has: (list context part) */}}
{{- define "eds.containerBasics" -}}
{{- $ := index . 0 -}}
{{- $part := index . 1 -}}
name: {{ $part }}
image: {{ include "eds.image" $ | quote }}
imagePullPolicy: {{ $.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  {{- include "eds.env" . | trim | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: {{ get $.Values.config "DATA_DIR" | default "/data" }}
{{- if $.Values.database.caConfigMap }}
  - name: database-ca
    mountPath: /etc/event-delivery-service/database
    readOnly: true
{{- end }}
resources:
  {{- toYaml (get $.Values $part).resources | nindent 2 }}
{{- end -}}

{{/* Where the pods of a part run: its values. */}}
{{- define "eds.placement" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with get $ $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The event loop of a part without a port still turns. The database plays no role: a restart would not mend it. */}}
{{- define "eds.aliveProbe" -}}
livenessProbe:
  exec:
    command: [node, scripts/container.mjs, health]
  initialDelaySeconds: 10
  periodSeconds: 30
  timeoutSeconds: 10
  failureThreshold: 3
{{- end -}}
