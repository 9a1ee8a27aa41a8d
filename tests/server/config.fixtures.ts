import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished} from 'vitest'
import {readConfig} from '#server/read-config.ts'
import {StartFailure} from '#server/start-failure.ts'

/** The path of a configuration file of this test; it holds a value as JSON, or a text as it is. */
export function fileOf(value: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-config-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
  const path = join(folder, 'config.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

/** The sentence with which the start is refused. */
export function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure)
    return (error as StartFailure).message // as: the line above has seen it
  }
  throw new Error('The start was not refused')
}

/** The packages of an installation that names none. */
export const defaultOffers = [
  {type: 'Usage', amount: 100, price: 990, duration: undefined, recommended: false},
  {type: 'Usage', amount: 500, price: 4500, duration: undefined, recommended: false},
  {type: 'Usage', amount: 2000, price: 16_000, duration: undefined, recommended: false},
  {type: 'Period', amount: 120, price: 990, duration: 604_800, recommended: false},
  {type: 'Period', amount: 600, price: 3900, duration: 2_592_000, recommended: false},
  {type: 'Period', amount: 8000, price: 39_000, duration: 31_536_000, recommended: true},
]
