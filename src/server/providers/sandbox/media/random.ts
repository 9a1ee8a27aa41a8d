/** Random numbers that are the same for the same seed, on every machine. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next: () => number
  between: (least: number, most: number) => number
  /** Both ends included. */
  integer: (least: number, most: number) => number
  pick: <Value>(values: readonly [Value, ...Value[]]) => Value
  chance: (probability: number) => boolean
  /** An independent sequence: what is drawn from it changes nothing drawn from this one. */
  fork: (name: string) => Random
}

/** 128 bits of a text, mixed (the constants are those of MurmurHash3). */
function hashText(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ unit, 597399067)
    b = c ^ Math.imul(b ^ unit, 2869860233)
    c = d ^ Math.imul(c ^ unit, 951274213)
    d = a ^ Math.imul(d ^ unit, 2716044179)
  }
  return [a >>> 0, b >>> 0, c >>> 0, d >>> 0]
}

/** The sequence that belongs to these values (small fast counter generator, 32 bits a draw). */
export function seededRandom(...values: readonly (string | number)[]): Random {
  const name = values.join('\u0001')
  let [a, b, c, counter] = hashText(name)
  const draw = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4294967296
  }
  for (let index = 0; index < 12; index += 1) draw() // the first draws still resemble the seed

  const between = (least: number, most: number) => least + draw() * (most - least)
  return {
    next: draw,
    between,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    pick: (values) => values[Math.floor(draw() * values.length)] ?? values[0],
    chance: (probability) => draw() < probability,
    fork: (part) => seededRandom(name, part),
  }
}
