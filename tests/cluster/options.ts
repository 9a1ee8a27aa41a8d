import {parseArgs} from 'node:util'
import type {Role} from './nodes.ts'

export type Options = {
  seed: number
  minutes: number
  people: number
  roles: readonly Role[]
  store: 'swift' | 's3rver'
}

const layouts: Record<string, readonly Role[]> = {all: ['all', 'all', 'all'], split: ['api', 'api', 'worker']}

export const usage = `npm run test:cluster -- [--minutes=15] [--people=200] [--seed=<number>] [--roles=all|split] [--store=swift|s3rver]`

/** Reads the options of the command; throws a sentence where one is wrong. `fallback`: the seed if none is named. */
export function readOptions(args: readonly string[], fallback: number): Options {
  const {values} = parseArgs({
    args: [...args],
    options: {
      seed: {type: 'string', default: String(fallback)},
      minutes: {type: 'string', default: '15'},
      people: {type: 'string', default: '200'},
      roles: {type: 'string', default: 'all'},
      store: {type: 'string', default: 'swift'},
    },
  })
  const {store} = values
  const roles = layouts[values.roles]
  if (roles === undefined) throw new Error(`--roles is all or split, not "${values.roles}".`)
  if (store !== 'swift' && store !== 's3rver') throw new Error(`--store is swift or s3rver, not "${store}".`)
  return {
    seed: readNumber('seed', values.seed, 0, 2 ** 31),
    minutes: readNumber('minutes', values.minutes, 0.1, 24 * 60),
    people: readNumber('people', values.people, 1, 5_000, true),
    roles,
    store,
  }
}

function readNumber(name: string, text: string, least: number, most: number, isWhole = name === 'seed'): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= least && value <= most) || (isWhole && !Number.isInteger(value)))
    throw new Error(`--${name} is a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}, not "${text}".`)
  return value
}
