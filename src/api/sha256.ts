const isPrime = (value: number) => {
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false
  return true
}
const primes = (count: number) => {
  const primes: number[] = []
  for (let value = 2; primes.length < count; value += 1) if (isPrime(value)) primes.push(value)
  return primes
}
const fractionBits = (value: number) => Math.floor((value - Math.floor(value)) * 2 ** 32)

// FIPS 180-4 §4.2.2 and §5.3.3: the first 32 bits of the fractions of the cube and square roots of primes.
const roundConstants = Uint32Array.from(primes(64), (prime) => fractionBits(Math.cbrt(prime)))
const initialState = Uint32Array.from(primes(8), (prime) => fractionBits(Math.sqrt(prime)))

const rotate = (value: number, by: number) => (value >>> by) | (value << (32 - by))

/** Pads the message to whole blocks of 64 bytes: a one bit, zeros, and the length in bits as 64 bits. */
const pad = (message: Uint8Array) => {
  const paddedMessage = new Uint8Array((((message.length + 8) >> 6) + 1) << 6)
  paddedMessage.set(message)
  paddedMessage[message.length] = 0x80
  const view = new DataView(paddedMessage.buffer)
  view.setUint32(paddedMessage.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(paddedMessage.length - 4, message.length << 3)
  return view
}

/** Adds one block of 64 bytes to the state. The non-null assertions are safe: every index is in range. */
const compress = (state: Uint32Array, schedule: Uint32Array, block: DataView, offset: number) => {
  const word = (at: number) => schedule[at]!
  for (let at = 0; at < 16; at += 1) schedule[at] = block.getUint32(offset + at * 4)
  for (let at = 16; at < 64; at += 1) {
    const near = word(at - 2)
    const far = word(at - 15)
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    schedule[at] = word(at - 16) + sigma0 + word(at - 7) + sigma1
  }
  // as: the state has 8 words
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let at = 0; at < 64; at += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    // in range, as above
    const first = (h + sum1 + choice + roundConstants[at]! + word(at)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sum0 + majority) | 0
  }
  const words = [a, b, c, d, e, f, g, h]
  // in range: both have 8 words
  for (let at = 0; at < 8; at += 1) state[at] = state[at]! + words[at]!
}

/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, for pages without `crypto.subtle` (plain http under a LAN name). Load it
 * lazily.
 */
export const sha256 = (message: Uint8Array): Uint8Array => {
  const blocks = pad(message)
  const state = Uint32Array.from(initialState)
  const schedule = new Uint32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, schedule, blocks, offset)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, at) => digest.setUint32(at * 4, word))
  return new Uint8Array(digest.buffer)
}
