import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DCLinter} from 'dclint'
import {validate as faultsOfDockerfile} from 'dockerfile-utils'
import {Deployment} from 'kubernetes-models/apps/v1'
import {Ingress} from 'kubernetes-models/networking.k8s.io/v1'
import {PodDisruptionBudget} from 'kubernetes-models/policy/v1'
import {ConfigMap, Secret, Service as KubernetesService} from 'kubernetes-models/v1'
import {describe, expect, test} from 'vitest'
import {compose, deployments, dockerfile, manifests, read, type Manifest} from './deploy-files.ts'

describe('programs that read the deployment files', () => {
  const kinds = [Secret, ConfigMap, Deployment, PodDisruptionBudget, KubernetesService, Ingress]
  /** Returns the fault by the schemas of Kubernetes. They let fields pass that they do not know. */
  const faultOf = (manifest: Manifest): unknown => {
    const known = kinds.find(({kind, apiVersion}) => kind === manifest.kind && apiVersion === manifest.apiVersion)
    if (known === undefined) return `no schema for ${manifest.apiVersion} ${manifest.kind}`
    try {
      // as: what a manifest is said to be is what is looked at
      new known(manifest as never).validate()
      return undefined
    } catch (error) {
      return error
    }
  }

  test('Kubernetes finds no fault in the manifests, and some in broken ones', () => {
    for (const manifest of manifests) expect(faultOf(manifest)).toBeUndefined()
    const [deployment] = deployments
    if (deployment === undefined) throw new Error('There is no deployment')
    const broken = (change: (copy: Manifest) => void) => {
      const copy = structuredClone(deployment)
      change(copy)
      return faultOf(copy)
    }
    expect(broken(({spec}) => Object.assign(spec, {replicas: 'two'}))).toBeInstanceOf(Error)
    expect(broken(({spec}) => Object.assign(spec, {selector: undefined}))).toBeInstanceOf(Error)
    expect(broken((copy) => (copy.apiVersion = 'apps/v2'))).toContain('no schema')
  })

  /**
   * Returns the faults by the schema of Compose, which knows every field, and the rules of dclint; the order of keys is
   * ours.
   */
  const faultsOfCompose = (text: string): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-compose-'))
    try {
      const file = join(folder, 'compose.yaml')
      writeFileSync(file, text)
      const order = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order']
      const rules = Object.fromEntries([...order, 'no-quotes-in-volumes'].map((name) => [name, 0 as const]))
      const results = new DCLinter({rules, quiet: true, debug: false, exclude: []}).lintFiles([file], false)
      return results.flatMap(({messages}) => messages.map(({rule, message}) => `${rule}: ${message}`))
    } finally {
      rmSync(folder, {recursive: true})
    }
  }

  test('the linter of Compose finds no fault, and some in broken copies', () => {
    const text = read('deploy/compose.yaml')
    expect(faultsOfCompose(text)).toEqual([])
    const broken = (from: string, to: string) => {
      expect(text).toContain(from)
      return faultsOfCompose(text.replace(from, to))
    }
    expect(broken('stop_grace_period', 'stop_grace_time')).toEqual([
      expect.stringMatching(/invalid-schema.*additional properties/),
    ])
    expect(broken('cap_drop: [ALL]', 'cap_drop: ALL')).toEqual([expect.stringContaining('must be array')])
    expect(broken('condition: service_healthy', 'condition: healthy')).toEqual([
      expect.stringContaining('invalid-schema'),
    ])
    expect(broken("'127.0.0.1:8080:8080'", "'8080:8080'")).toEqual([expect.stringContaining('unbound-port')])
    expect(broken('image: postgres:17.6-bookworm', 'image: postgres')).toEqual([
      expect.stringContaining('explicit-tag'),
    ])
  })

  test('the compose file names services and volumes that it has', () => {
    const used = Object.values(compose.services).flatMap(({volumes = []}) => volumes.map((each) => each.split(':')[0]))
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(used.filter((name) => !name?.startsWith('.'))))
    const needed = Object.values(compose.services).flatMap(({depends_on: names = []}) =>
      Array.isArray(names) ? names : Object.keys(names),
    )
    expect(needed.length).toBeGreaterThan(5)
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(needed))
  })

  test('the language service of Dockerfiles finds no fault, and some in a broken one', () => {
    expect(faultsOfDockerfile(dockerfile)).toEqual([])
    const broken = dockerfile.replace('HEALTHCHECK --interval', 'HEALTHCHECK --intervall').replace('\nUSER ', '\nUSR ')
    expect(faultsOfDockerfile(broken).map(({message}) => message)).toEqual(
      expect.arrayContaining(['Unknown flag: intervall', 'Unknown instruction: USR']),
    )
  })
})
