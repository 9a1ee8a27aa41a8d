/** Deterministic random numbers, the same on every machine. */
export type Random = {
  /** From 0 up to but not including 1. */
  next: () => number
  between: (least: number, most: number) => number
  /** Both ends included. */
  integer: (least: number, most: number) => number
  pick: <const Values extends readonly [unknown, ...unknown[]]>(values: Values) => Values[number]
  chance: (probability: number) => boolean
  /** An independent sequence: draws from it do not affect this one. */
  fork: (name: string) => Random
}

/** 32 bits of a text (FNV-1a). */
function hashText(text: string): number {
  let hash = 2166136261
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  return hash
}

/** The sequence of these values (mulberry32, 32 bits per draw). */
export function seededRandom(...values: readonly (string | number)[]): Random {
  const name = values.join('\u0001')
  let state = hashText(name)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mix = Math.imul(state ^ (state >>> 15), state | 1)
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61)
    return ((mix ^ (mix >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  return {
    next,
    between,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
    chance: (probability) => next() < probability,
    fork: (part) => seededRandom(name, part),
  }
}
