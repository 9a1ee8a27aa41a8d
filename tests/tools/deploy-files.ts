import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {load, loadAll} from 'js-yaml'

/* The files of deploy/, read as data. */

export const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Node = {
  environment: Record<string, string | number>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
}

type Service = Partial<Node> & {
  image?: string
  build?: {dockerfile: string}
  command?: string[]
  volumes?: string[]
  depends_on?: string[] | object
}

// as: the tests read the fields, and fail where one is missing
export const compose = load(read('deploy/compose.yaml')) as {services: Record<string, Service>; volumes: object}

type Probe = {httpGet: {path: string}; timeoutSeconds: number; periodSeconds: number; failureThreshold: number}

type Container = {
  image: string
  env: {name: string; value: string}[]
  envFrom: unknown[]
  ports: {containerPort: number; name: string}[]
  readinessProbe: Probe
  startupProbe: Probe
  livenessProbe: Probe
  lifecycle?: {preStop: {exec: {command: string[]}}}
  securityContext: object
}

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: {name: string; annotations?: Record<string, string>}
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    replicas: number
    template: {
      metadata: {labels: Record<string, string>}
      spec: {
        containers: Container[]
        securityContext: object
        terminationGracePeriodSeconds: number
        topologySpreadConstraints: {topologyKey: string; labelSelector: {matchLabels: Record<string, string>}}[]
      }
    }
  }
}

// as: the tests read the fields, and fail where one is missing
export const manifests = loadAll(read('deploy/kubernetes/atrium.yaml')) as Manifest[]
export const deployments = manifests.filter(({kind}) => kind === 'Deployment')

export const dockerfile = read('deploy/Dockerfile')
