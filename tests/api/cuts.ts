/** Every way to cut bytes in one or two positions (empty pieces included), and byte by byte. */
const everyCut = function* (bytes: Uint8Array): Generator<Uint8Array[], void> {
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      yield [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
    }
  }
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
}

export const utf8 = (text: string) => new TextEncoder().encode(text)

export const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? Array.from(utf8(part)) : part)))

/** Pieces of `size` bytes. */
export const chunksOf = (bytes: Uint8Array, size: number) =>
  Array.from({length: Math.ceil(bytes.length / size)}, (_, at) => bytes.subarray(at * size, (at + 1) * size))

/** The different results of reading the bytes at every cut: one, when the reader does not care how they come. */
export const readAtEveryCut = <T>(bytes: Uint8Array, read: (chunks: Uint8Array[]) => T): T[] => {
  const results = new Map<string, T>()
  for (const chunks of everyCut(bytes)) {
    const result = read(chunks)
    const name = JSON.stringify(result)
    if (!results.has(name)) results.set(name, result)
  }
  return Array.from(results.values())
}
