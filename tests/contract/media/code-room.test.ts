import QRCode from 'qrcode'
import {describe, expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {screen} from '#contract/media/qrart.screen.ts'
import {tool} from '#contract/media/qrart.ts'

/* How much one code holds: what the counter ends at, the form refuses, the server refuses, and a code really takes. */

const rooms = [
  ['L', 2953],
  ['M', 2331],
  ['Q', 1663],
  ['H', 1273],
] as const

const formOf = (values: object) => z.parse(tool.form, values)
const counted = (values: object) => {
  const field = screen.fields.find(({key}) => key === 'content')
  return field?.kind === 'text' ? field.room?.(formOf(values)) : undefined
}
const refusals = (body: object) => {
  const result = z.safeParse(tool.operations.generate.body, body)
  // as: issues of checks of ours alone have parameters
  return (result.error?.issues as {path: PropertyKey[]; message: string; params?: unknown}[] | undefined)?.map(
    ({path, message, params}) => [path.join('.'), message, params],
  )
}

describe.each(rooms)('at error correction %s', (ecl, most) => {
  const full = {content: 'x'.repeat(most), ecl}
  const over = {content: 'x'.repeat(most + 1), ecl}

  test('a code takes so many bytes and no more', () => {
    expect(QRCode.create(full.content, {errorCorrectionLevel: ecl}).version).toBe(40)
    expect(() => QRCode.create(over.content, {errorCorrectionLevel: ecl})).toThrow()
  })

  test('the counter ends there, and so do form and server', () => {
    expect(counted(full)).toEqual({now: most, most})
    expect(counted(over)).toEqual({now: most + 1, most})
    expect(tool.faults(formOf(full))).toEqual([])
    expect(tool.faults(formOf(over))).toEqual([{field: 'content', message: 'contentTooLong', values: {most}}])
    expect(refusals(full)).toBeUndefined()
    const refusal = ['content', 'ruleCodeRoom', {correction: ecl, most}]
    expect(refusals(over)).toEqual([refusal])
    expect(refusals({...over, content: 'x'.repeat(100_000)})).toEqual([refusal])
  })

  test('bytes count as they are written, with the scheme of an address, without blanks around', () => {
    const words = 'ж€😀' // 2, 3 and 4 bytes
    const times = Math.floor(most / 9)
    const content = words.repeat(times) + 'x'.repeat(most - times * 9)
    expect(new TextEncoder().encode(content)).toHaveLength(most)
    expect(counted({content: ` ${content}\n`, ecl})).toEqual({now: most, most})
    expect(refusals({content, ecl})).toBeUndefined()
    expect(counted({content, ecl, type: 'phone'})).toEqual({now: most + 4, most})
    expect(refusals({content, ecl, type: 'phone'})).toHaveLength(1)
  })
})
