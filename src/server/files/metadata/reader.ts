/** Numbers of a file in its byte order. Reading behind the end throws a `RangeError`. */
export type Reader = {
  u16: (at: number) => number
  u32: (at: number) => number
  setU16: (at: number, value: number) => void
  setU32: (at: number, value: number) => void
}

export const reader = (bytes: Buffer, isLittleEndian: boolean): Reader =>
  isLittleEndian
    ? {
        u16: (at) => bytes.readUInt16LE(at),
        u32: (at) => bytes.readUInt32LE(at),
        setU16: (at, value) => bytes.writeUInt16LE(value, at),
        setU32: (at, value) => bytes.writeUInt32LE(value, at),
      }
    : {
        u16: (at) => bytes.readUInt16BE(at),
        u32: (at) => bytes.readUInt32BE(at),
        setU16: (at, value) => bytes.writeUInt16BE(value, at),
        setU32: (at, value) => bytes.writeUInt32BE(value, at),
      }

/**
 * Overwrites ranges of a file with zeros. Ranges that together are longer than the file twice are no real ones: a
 * made-up list of them would keep the server busy.
 *
 * @throws RangeError
 */
export function eraser(bytes: Buffer): (start: number, end: number) => void {
  let remaining = bytes.length * 2
  return (start, end) => {
    const [from, to] = [Math.min(start, bytes.length), Math.min(end, bytes.length)]
    remaining -= Math.max(0, to - from)
    if (remaining < 0) throw new RangeError('ranges overlap')
    bytes.fill(0, from, to)
  }
}
