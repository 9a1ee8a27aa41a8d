import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {root} from '#tools/paths.mjs'
import {proxyProgram} from '../cluster/lines.ts'
import {OwnProcess} from '../cluster/own-process.ts'

/**
 * Debian's HAProxy with `deploy/haproxy.cfg`, in which each text of `replaced` is another: the ports of a test, its
 * seconds.
 */
export function startShippedProxy(folder: string, replaced: ReadonlyMap<string, string>): OwnProcess {
  let text = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
  for (const [from, to] of replaced) {
    if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg has no ${from}`)
    text = text.replaceAll(from, to)
  }
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  return new OwnProcess({name: 'haproxy', command: [proxyProgram, '-db', '-f', file], logs: folder})
}
