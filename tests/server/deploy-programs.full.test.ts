import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {root} from '#tools/paths.mjs'
import {makeCertificates} from './certificates.ts'

/* The files of deploy/ as Debian's HAProxy and systemd read them. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-deploy-'))
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const run = (program: string, parameters: string[]) => {
  const {status, stdout, stderr} = spawnSync(program, parameters, {encoding: 'utf8'})
  return {status, words: `${stdout}${stderr}`}
}

const textOf = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
test.each(
  ['haproxy.cfg', 'haproxy.compose.cfg'].flatMap((name): [string, string, string, number, string][] => [
    [name, 'as it stands', textOf(name), 0, 'is valid'],
    [name, 'with an unknown word', textOf(name).replace('balance', 'balanced'), 1, 'unknown keyword'],
  ]),
)('%s %s', (name, _, text, status, words) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  expect(run('/usr/sbin/haproxy', ['-c', '-f', file])).toEqual({status, words: expect.stringContaining(words)})
})

test.each(['haproxy.cfg', 'haproxy.compose.cfg'])('%s speaks https by the lines that the page has for it', (name) => {
  const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
  const [, bind = '', crt = ''] = /`(bind :8443 ssl crt (\S+))`/.exec(page) ?? []
  const [, redirect = ''] = /`(http-request redirect [^`]+)`/.exec(page) ?? []
  const {certificate, key} = makeCertificates(folder)
  const both = join(folder, 'atrium.pem')
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const file = join(folder, name)
  const secure = `bind :8080\n  ${bind.replace(crt, both)}\n  ${redirect}`
  writeFileSync(file, textOf(name).replace('bind :8080', secure))
  expect(readFileSync(file, 'utf8')).toContain(both)
  expect(run('/usr/sbin/haproxy', ['-c', '-f', file])).toEqual({status: 0, words: expect.stringContaining('is valid')})
})

// where this machine has its Node
const unit = readFileSync(join(root, 'deploy/systemd/atrium@.service'), 'utf8').replace(
  '/usr/bin/node',
  process.execPath,
)
test.each([
  ['api', unit, /^$/],
  ['worker', unit, /^$/],
  ['api with a setting that systemd does not know', unit.replace('TimeoutStopSec', 'TimeoutStopSecs'), /Unknown key/],
  ['api with a value that systemd does not know', unit.replace('=strict', '=strictly'), /Failed to parse/],
])('atrium@.service as %s', (name, text, words) => {
  writeFileSync(join(folder, 'atrium@.service'), text)
  const [role = ''] = name.split(' ')
  expect(run('systemd-analyze', ['verify', join(folder, `atrium@${role}.service`)]).words).toMatch(words)
})
